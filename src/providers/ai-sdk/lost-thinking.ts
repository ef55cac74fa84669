import type { ChatMessage } from "../contract.ts";
import { decodeSeal } from "./seal.ts";

type AssistantMessage = Extract<ChatMessage, { role: "assistant" }>;

/**
 * A loop of tool calls is one turn of the assistant's, and where a model thinks within a budget its turn must begin
 * with thinking, signed, as it was. True for a turn that began without, or whose thinking the client did
 * not send back: it cannot be gone on with while thinking is on.
 */
export function hasLostThinking(messages: readonly ChatMessage[], namespace: string): boolean {
  const first = messages.slice(turnStart(messages)).find(isAssistant);
  return first !== undefined && !first.reasoning?.some(({ signature }) => isThinking(namespace, signature));
}

/** Behind the last message of the user's own; what stands right after results is said within the turn. */
function turnStart(messages: readonly ChatMessage[]): number {
  for (let at = messages.length - 1; at >= 0; at--) {
    if (messages[at]?.role !== "user") continue;
    let before = at - 1;
    while (isInstruction(messages[before])) before--;
    if (messages[before]?.role !== "tool") return at + 1;
  }
  return 0;
}

function isInstruction(message: ChatMessage | undefined): boolean {
  return message?.role === "system" || message?.role === "developer";
}

/** Empty ones are not sent. */
function isAssistant(message: ChatMessage): message is AssistantMessage {
  return (
    message.role === "assistant" && (!!message.toolCalls?.length || (message.content ?? "").trim() !== "")
  );
}

function isThinking(namespace: string, signature: string | undefined): boolean {
  const kind = decodeSeal(namespace, signature)?.kind;
  return kind === "reasoning" || kind === "redacted" || kind === "redacted-content";
}
