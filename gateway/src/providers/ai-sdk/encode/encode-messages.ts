import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ChatMessage, ReasoningPart, ToolCall } from "../../../contract/index.ts";
import {
  isObject,
  mayHaveLongNumber,
  parseExactly,
  parseForeignJson,
  wholeCharacters,
} from "../../../kit/index.ts";
import { BlockReader, type Taken } from "../../block-order.ts";
import type { AiSdkQuirks } from "../quirks.ts";
import { decodeSeal, type Seal } from "../seal.ts";
import { cacheMarked, encodeUserContent, endsInMark } from "./encode-content.ts";
import { CallResults, type ResultPart } from "./encode-result.ts";
import { sentToolName } from "./inherited-names.ts";
import { MadeCalls } from "./made-calls.ts";

type Assistant = Extract<LanguageModelV4Message, { role: "assistant" }>;
type AssistantPart = Assistant["content"][number];
type AssistantMessage = Extract<ChatMessage, { role: "assistant" }>;
type InstructionsMessage = Extract<ChatMessage, { role: "system" | "developer" }>;

/**
 * System and developer messages go first, in their order: these providers accept instructions only before the
 * conversation. Results of calls that were made together share one message.
 */
export function encodeMessages(
  messages: readonly ChatMessage[],
  quirks: AiSdkQuirks,
  { withoutReasoning = false }: { readonly withoutReasoning?: boolean } = {},
): LanguageModelV4Prompt {
  const system: LanguageModelV4Message[] = [];
  const talk: LanguageModelV4Message[] = [];
  const calls = new MadeCalls();
  const results = new CallResults(calls, quirks);
  for (const message of messages) {
    switch (message.role) {
      case "system":
      case "developer":
        system.push(...encodeInstructions(message, quirks));
        break;
      case "user": {
        const content = encodeUserContent(message.content, quirks);
        if (content.length > 0) {
          // One mark is enough: some libraries would send both.
          const isCached = message.cache && !endsInMark(message.content);
          talk.push({ role: "user", content, ...cacheMarked(isCached, quirks) });
        }
        break;
      }
      case "assistant": {
        // An answer that the model is to continue has no reasoning before it.
        const isDraft = message === messages.at(-1);
        const content = encodeAssistant(message, quirks, {
          calls,
          withoutReasoning: withoutReasoning || isDraft,
        });
        if (content.length > 0) addAssistant(talk, content, quirks);
        break;
      }
      case "tool":
        addResult(talk, results.add(message));
        break;
    }
  }
  results.writeOut();
  // Some models answer instructions alone, or an empty message; for those that would refuse it, `fitPrompt` fills it. If
  // the user's last message was dropped as blank, the model's previous answer would be taken as the beginning of the next.
  const last = messages.findLast(({ role }) => role !== "system" && role !== "developer");
  const isUnasked = talk.length === 0 || (last?.role === "user" && talk.at(-1)?.role === "assistant");
  if (isUnasked) talk.push({ role: "user", content: [{ type: "text", text: "" }] });
  return [...system, ...talk];
}

/** Split where the caller wants it cached: a mark behind text that changes from call to call caches nothing. */
function encodeInstructions(message: InstructionsMessage, quirks: AiSdkQuirks): LanguageModelV4Message[] {
  const { content, cache, cacheAt = [] } = message;
  const pieces: LanguageModelV4Message[] = [];
  let from = 0;
  for (const end of quirks.cacheMark === null ? [] : cacheAt) {
    pieces.push({ role: "system", content: content.slice(from, end), ...cacheMarked(true, quirks) });
    // Skips the line break.
    from = end + 1;
  }
  pieces.push({ role: "system", content: content.slice(from), ...cacheMarked(cache, quirks) });
  return pieces.filter((piece) => typeof piece.content !== "string" || piece.content.trim() !== "");
}

function encodeAssistant(
  message: AssistantMessage,
  quirks: AiSdkQuirks,
  { calls, withoutReasoning }: { readonly calls: MadeCalls; readonly withoutReasoning: boolean },
): AssistantPart[] {
  // A turn of reasoning alone is refused.
  if ((message.content ?? "").trim() === "" && !message.toolCalls?.length) return [];
  const seals = (message.reasoning ?? []).map((part) => ({
    part,
    seal: decodeSeal(quirks.namespace, part.signature),
  }));
  const blocks = new BlockReader(message.content ?? "", message.toolCalls ?? []);
  const encode = (taken: Taken<ToolCall>): AssistantPart =>
    "call" in taken
      ? encodeCall(taken.call, calls.add(taken.call, message), quirks)
      : { type: "text", text: taken.text };
  const parts: AssistantPart[] = [];
  for (const { part, seal } of withoutReasoning ? [] : seals) {
    // Unsigned reasoning would be refused, and the model does not need it.
    const thought = encodeReasoning(part, seal, quirks);
    if (thought.length > 0) parts.push(...blocks.take(seal?.after ?? []).map(encode), ...thought);
  }
  parts.push(...blocks.rest().map(encode));
  const answer = seals.findLast(({ seal }) => seal?.kind === "answer")?.seal ?? null;
  const text = parts.findLast(({ type }) => type === "text");
  if (text !== undefined) Object.assign(text, signed(answer, quirks));
  return parts;
}

function encodeReasoning(
  { text }: ReasoningPart,
  seal: Seal | null,
  { namespace, signatureField }: AiSdkQuirks,
): AssistantPart[] {
  const field =
    seal?.kind === "reasoning"
      ? signatureField
      : seal?.kind === "redacted"
        ? "redactedData"
        : seal?.kind === "redacted-content"
          ? "redactedContent"
          : null;
  if (seal === null || field === null) return [];
  return [{ type: "reasoning", text, providerOptions: { [namespace]: { [field]: seal.data } } }];
}

function encodeCall(call: ToolCall, toolCallId: string, quirks: AiSdkQuirks): AssistantPart {
  const seal = decodeSeal(quirks.namespace, call.signature);
  return {
    type: "tool-call",
    toolCallId,
    toolName: sentToolName(call.name, quirks),
    input: readArguments(call.arguments),
    ...signed(seal?.kind === "call" ? seal : null, quirks),
  };
}

function signed(seal: Seal | null, { namespace, signatureField }: AiSdkQuirks) {
  if (seal === null || signatureField === null) return {};
  return { providerOptions: { [namespace]: { [signatureField]: seal.data } } };
}

/** Providers take an object; arguments that are no JSON object, or too deep to write again, are wrapped as text. */
function readArguments(text: string): Record<string, unknown> {
  try {
    // A lone surrogate escape is harmless within text, but after parsing and writing no provider would accept it.
    const json = wholeCharacters(text === "" ? "{}" : text);
    const value = parseForeignJson(json);
    // The model must get its own output back with every digit of its ids.
    if (isObject(value)) return mayHaveLongNumber(json) ? (parseExactly(json) as typeof value) : value;
  } catch {
    // Falls through to the original text.
  }
  return { input: text };
}

function addAssistant(
  talk: LanguageModelV4Message[],
  content: AssistantPart[],
  { needsJoinedTurns }: AiSdkQuirks,
): void {
  const last = talk.at(-1);
  if (needsJoinedTurns && last?.role === "assistant") last.content.push(...content);
  else talk.push({ role: "assistant", content });
}

function addResult(talk: LanguageModelV4Message[], result: ResultPart | null): void {
  if (result === null) return;
  const last = talk.at(-1);
  if (last?.role === "tool") last.content.push(result);
  else talk.push({ role: "tool", content: [result] });
}
