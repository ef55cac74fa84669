import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import {
  isObject,
  mayHaveLongNumber,
  parseExactly,
  parseForeignJson,
  wholeCharacters,
} from "../../kit/index.ts";
import { BlockReader, type Taken } from "../block-order.ts";
import type { ChatMessage, ReasoningPart, ToolCall } from "../contract.ts";
import { cacheMarked, encodeUserContent, endsInMark } from "./encode-content.ts";
import { CallResults, type ResultPart } from "./encode-result.ts";
import { sentToolName } from "./inherited-names.ts";
import { MadeCalls } from "./made-calls.ts";
import type { AiSdkQuirks } from "./quirks.ts";
import { decodeSeal, type Seal } from "./seal.ts";

type Assistant = Extract<LanguageModelV4Message, { role: "assistant" }>;
type AssistantPart = Assistant["content"][number];
type AssistantMessage = Extract<ChatMessage, { role: "assistant" }>;
type InstructionsMessage = Extract<ChatMessage, { role: "system" | "developer" }>;

/**
 * System and developer texts go first, in their order: these providers take instructions in front of the
 * conversation only. Results of calls that were made together stand in one message, as they were asked for.
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
          // Once is enough: some would send both.
          const isCached = message.cache && !endsInMark(message.content);
          talk.push({ role: "user", content, ...cacheMarked(isCached, quirks) });
        }
        break;
      }
      case "assistant": {
        // The beginning of an answer that is still to be written was not thought about.
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
  // Some models answer to instructions alone, or to silence; the others say themselves that they do not. Without the last
  // word of the user's, the model's own answer would be taken for the beginning of the next.
  const last = messages.findLast(({ role }) => role !== "system" && role !== "developer");
  const isUnasked = talk.length === 0 || (last?.role === "user" && talk.at(-1)?.role === "assistant");
  if (isUnasked) talk.push({ role: "user", content: [{ type: "text", text: "" }] });
  return [...system, ...talk];
}

/** In pieces that end where the caller wants them kept: a mark behind what changes from call to call keeps nothing. */
function encodeInstructions(message: InstructionsMessage, quirks: AiSdkQuirks): LanguageModelV4Message[] {
  const { content, cache, cacheAt = [] } = message;
  const pieces: LanguageModelV4Message[] = [];
  let from = 0;
  for (const end of quirks.cacheMark === null ? [] : cacheAt) {
    pieces.push({ role: "system", content: content.slice(from, end), ...cacheMarked(true, quirks) });
    // Behind the line break.
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
  // Nothing follows it: a turn of reasoning alone is refused.
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
    // What nobody signed would be refused, and the model needs no copy of it.
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

/** Providers take an object; what a model once wrote beside JSON, or too deep to write again, is kept as text in one. */
function readArguments(text: string): Record<string, unknown> {
  try {
    // Within a text an escape is still whole; read and written again, it would be what no provider takes.
    const json = wholeCharacters(text === "" ? "{}" : text);
    const value = parseForeignJson(json);
    // The model's own words must come back to it with every digit of its ids.
    if (isObject(value)) return mayHaveLongNumber(json) ? (parseExactly(json) as typeof value) : value;
  } catch {
    // Falls through to the text as it came.
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
