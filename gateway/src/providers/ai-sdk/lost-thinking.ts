import type { ChatMessage } from "../../contract/index.ts";
import { decodeSeal } from "./seal.ts";

type AssistantMessage = Extract<ChatMessage, { role: "assistant" }>;

/**
 * A loop of tool calls is one assistant turn, and if a model thinks within a budget, its turn must begin with the
 * original signed thinking. True if the turn began without, or if the client did not send it back: then it cannot be
 * continued with thinking on.
 */
export function hasLostThinking(messages: readonly ChatMessage[], namespace: string): boolean {
  const first = messages.slice(turnStart(messages)).find(isAssistant);
  return first !== undefined && !first.reasoning?.some(({ signature }) => isThinking(namespace, signature));
}

/** Index behind the user's last message. User messages right after tool results belong to the turn. */
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

/** Empty messages are not sent. */
function isAssistant(message: ChatMessage): message is AssistantMessage {
  return (
    message.role === "assistant" && (!!message.toolCalls?.length || (message.content ?? "").trim() !== "")
  );
}

function isThinking(namespace: string, signature: string | undefined): boolean {
  const kind = decodeSeal(namespace, signature)?.kind;
  return kind === "reasoning" || kind === "redacted" || kind === "redacted-content";
}
