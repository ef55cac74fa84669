import type { ChatMessage, ReasoningPart, ToolCall } from "../../../contract/index.ts";
import { invalid, isObject, writeExactly } from "../../../kit/index.ts";
import type { ExactNumbers } from "../../body/exact-numbers.ts";
import { refuseInsideCompanions } from "../companion-content.ts";
import { wrapCustomInput } from "../custom-tool.ts";
import { type JsonObject, requiredString, requiredText, stringOf } from "../json-fields.ts";
import type { MediaAddresses } from "../media-address.ts";
import type { CallSeal } from "../sealed/sealed-call-id.ts";

/** State that is carried from one message of a request to the next. */
export type Conversation = {
  readonly callSeal: CallSeal;
  /** Tool calls so far. */
  calls: number;
  /** The body's numbers beyond the safe integers, as they were written. */
  readonly exactNumbers: ExactNumbers | undefined;
  /** Id of the last `function_call`: the older form's result message does not name the call that it answers. */
  functionCallId: string;
  /** Checks the URLs of images and files. */
  readonly addresses: MediaAddresses;
};

type AssistantMessage = Extract<ChatMessage, { role: "assistant" }>;

/** For all messages of a request together. */
const MAX_CALLS = 10_000;

export function decodeAssistant(
  message: JsonObject,
  at: number,
  conversation: Conversation,
): AssistantMessage {
  const { content: given } = message;
  const path = `messages[${at}]`;
  const refused = refusalOf(message, path);
  const content =
    (typeof given === "string" ? given : textIn(given, `${path}.content`, conversation.addresses)) ||
    refused ||
    (transcriptOf(message) ?? refused);
  const echoed = echoedReasoning(message, path);
  const calls = message["tool_calls"] ?? undefined;
  if (calls !== undefined)
    return withCalls({ content, calls, echoed, path: `${path}.tool_calls` }, conversation);
  const call = message["function_call"] ?? undefined;
  if (call !== undefined)
    return { role: "assistant", content, toolCalls: [functionCall(call, at, conversation)] };
  return echoed === null ? { role: "assistant", content } : { role: "assistant", content, reasoning: echoed };
}

/** Null if there is no content at all, as is usual beside tool calls. */
function textIn(content: unknown, path: string, addresses: MediaAddresses): string | null {
  if (content === undefined || content === null) return null;
  if (!Array.isArray(content)) throw invalid(path, "must be a string, a list of parts or null");
  const texts = content.map((part: unknown, index) => {
    const type = isObject(part) ? part["type"] : undefined;
    const here = `${path}[${index}]`;
    if (isObject(part)) refuseInsideCompanions(part, here, addresses);
    if (isObject(part) && type === "text") return requiredString(part, "text", here);
    if (isObject(part) && type === "refusal") return requiredString(part, "refusal", here);
    // Reasoning parts are only for the vendor that wrote them, which gets them with the caller's own body.
    if (type === "thinking" || type === "reasoning") return "";
    throw invalid(here, "must be a text part or a refusal part");
  });
  return texts.join("");
}

function refusalOf(message: JsonObject, path: string): string | null {
  const { content } = message;
  return stringOf(message, "refusal", path) ?? (typeof content === "string" ? content : null);
}

/**
 * The transcript of an earlier answer in audio. Its `audio.id` is ignored, since it may be that of another caller's
 * audio.
 */
function transcriptOf({ audio }: JsonObject): string | null {
  const words = isObject(audio) ? audio["transcript"] : undefined;
  return typeof words === "string" ? words : null;
}

/** Reasoning as plain text, under either of its two names. Without a signature, only some providers take it. */
function echoedReasoning(message: JsonObject, path: string): readonly ReasoningPart[] | null {
  const text = stringOf(message, "reasoning_content", path) || stringOf(message, "reasoning", path);
  return text ? [{ text }] : null;
}

function withCalls(
  turn: { content: string | null; calls: unknown; echoed: readonly ReasoningPart[] | null; path: string },
  conversation: Conversation,
): AssistantMessage {
  const { content, calls, echoed, path } = turn;
  if (!Array.isArray(calls)) throw invalid(path, "must be a list of tool calls");
  conversation.calls += calls.length;
  if (conversation.calls > MAX_CALLS)
    throw invalid(path, `must not be more than ${MAX_CALLS} in all messages`);
  const toolCalls: ToolCall[] = [];
  const carried: ReasoningPart[] = [];
  for (const [index, call] of calls.entries()) {
    const { id, ...made } = callOf(call, `${path}[${index}]`, conversation);
    const opened = conversation.callSeal.open(id);
    if (opened.reasoning !== undefined) carried.push(...opened.reasoning);
    toolCalls.push(
      opened.signature === undefined
        ? { id: opened.id, ...made }
        : { id: opened.id, ...made, signature: opened.signature },
    );
  }
  // Sealed reasoning is what the model really wrote, with its signatures; `echoed` is only a copy of the text.
  const reasoning = carried.length > 0 ? carried : echoed;
  return reasoning === null
    ? { role: "assistant", content, toolCalls }
    : { role: "assistant", content, toolCalls, reasoning };
}

function callOf(call: unknown, path: string, conversation: Conversation): ToolCall {
  if (!isObject(call)) throw invalid(path, "must be an object with id and function");
  const id = requiredText(call, "id", path);
  const { custom } = call;
  if (call["type"] === "custom" && isObject(custom)) {
    const at = `${path}.custom`;
    const name = requiredText(custom, "name", at);
    return { id, name, arguments: wrapCustomInput(stringOf(custom, "input", at) ?? "") };
  }
  return { id, ...madeOf(call["function"], `${path}.function`, conversation) };
}

function functionCall(call: unknown, at: number, conversation: Conversation): ToolCall {
  const id = `function_${at}`;
  conversation.functionCallId = id;
  return { id, ...madeOf(call, `messages[${at}].function_call`, conversation) };
}

function madeOf(
  made: unknown,
  path: string,
  { exactNumbers }: Pick<Conversation, "exactNumbers">,
): Omit<ToolCall, "id"> {
  if (!isObject(made)) throw invalid(path, "must be an object with name and arguments");
  const name = requiredText(made, "name", path);
  const given = made["arguments"];
  // Some clients send the object itself instead of its JSON text.
  if (isObject(given)) {
    const text = exactNumbers === undefined ? JSON.stringify(given) : writeExactly(given, exactNumbers);
    return { name, arguments: text };
  }
  return { name, arguments: stringOf(made, "arguments", path) ?? "" };
}
