import { MAX_CHOICES } from "../../../catalog/index.ts";
import type { ChatPrompt } from "../../../generation/index.ts";
import { invalid, isObject } from "../../../kit/index.ts";
import { exactNumbersIn, refuseEndlessNumbers } from "../../body/exact-numbers.ts";
import { writtenPartsIn } from "../../body/written-parts.ts";
import type { CallStyle } from "../call-style.ts";
import { refuseInsideRequest } from "../companion-content.ts";
import { booleanOf, type JsonObject, numberOf, objectOf, wholeNumberOf } from "../json-fields.ts";
import { isContextManaged } from "../managed-context.ts";
import type { PrivateHosts } from "../media-address.ts";
import { modelIdOf, outputLimitOf } from "../request-fields.ts";
import { decodeResponseFormat } from "../response-format.ts";
import type { CallSeal } from "../sealed/sealed-call-id.ts";
import { unseenChatText, unseenChatTokens } from "../unseen/chat-unseen.ts";
import { decodeMessages } from "./chat-message.ts";
import { chatTexts } from "./chat-texts.ts";
import { decodeTools } from "./chat-tools.ts";

/** Fields that have a neutral form; all others are left for providers that know them by name. */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "stream",
  "stream_options",
  "max_tokens",
  "max_completion_tokens",
  "n",
  "stop",
  "tools",
  "tool_choice",
  "functions",
  "function_call",
  "response_format",
  "reasoning_effort",
  "temperature",
  "top_p",
  "seed",
  // Never passed on: only sent by somebody who is probing.
  "__proto__",
]);

/** Null if there are no such fields, as in most requests. */
function wireFieldsOf(body: JsonObject): JsonObject | null {
  let fields: Record<string, unknown> | null = null;
  for (const name of Object.keys(body)) {
    if (UNDERSTOOD.has(name)) continue;
    fields ??= {};
    fields[name] = body[name];
  }
  return fields;
}

/** A request as we understand it. What we do not understand travels in `prompt.wire`. */
type ChatFields = {
  readonly modelId: string;
  readonly prompt: ChatPrompt;
  readonly maxTokens: number | null;
  readonly isStreamed: boolean;
  readonly includesUsage: boolean;
  readonly callStyle: CallStyle;
};

type DecodeOptions = {
  readonly maxMessages: number;
  readonly callSeal: CallSeal;
  readonly privateHosts?: PrivateHosts | undefined;
};

type Prompt = { -readonly [Field in keyof ChatPrompt]: ChatPrompt[Field] };

const MAX_STOPS = 64;
const MAX_EFFORT_CHARS = 40;
const ANSWERS = { min: 1, max: MAX_CHOICES } as const;
const TOP_LOGPROBS = { min: 0, max: 20 } as const;

/**
 * Accepts everything that a client may send, but refuses by name a field that we understand and that has the wrong
 * type. Written by hand, since every request passes here.
 */
export function decodeChat(body: unknown, options: DecodeOptions): ChatFields {
  if (!isObject(body)) throw invalid("body", "must be a JSON object");
  const { tools, choice, style } = decodeTools(body);
  const { maxMessages, callSeal, privateHosts } = options;
  refuseInsideRequest(body, privateHosts);
  const exactNumbers = exactNumbersIn(body);
  const conversing = { maxMessages, callSeal, exactNumbers, privateHosts };
  const prompt: Prompt = { messages: decodeMessages(body["messages"], conversing) };
  if (tools.length > 0) {
    prompt.tools = tools;
    if (choice !== undefined) prompt.toolChoice = choice;
  }
  decodeSampling(body, prompt);
  decodeAnswer(body, prompt);
  const wireFields = wireFieldsOf(body);
  if (wireFields !== null) prompt.wireFields = wireFields;
  // `function_call` has room for one call only: a second one would be paid for and lost.
  if (style.isFunctionCall) prompt.wireFields = { ...wireFields, parallel_tool_calls: false };
  prompt.wire = {
    kind: "chat_completions",
    body,
    sealCallId: callSeal.seal,
    texts: chatTexts(body),
    exactNumbers,
  };
  const asWritten = writtenPartsIn(body);
  if (asWritten !== undefined) prompt.asWritten = asWritten;
  if (isContextManaged(body)) prompt.isContextManaged = true;
  const unseenTokens = unseenChatTokens(body, prompt);
  if (unseenTokens > 0) {
    prompt.unseenTokens = unseenTokens;
    prompt.unseenIn = (sent) => unseenChatText(body, prompt, sent);
  }
  const fields = {
    modelId: modelIdOf(body),
    prompt,
    maxTokens: outputLimitOf(body, "max_completion_tokens") ?? outputLimitOf(body, "max_tokens") ?? null,
    isStreamed: booleanOf(body, "stream") ?? false,
    includesUsage: objectOf(body, "stream_options")?.["include_usage"] === true,
    callStyle: style,
  };
  // Last, since its error cannot name the field: fields that can be named are refused first.
  refuseEndlessNumbers(body);
  return fields;
}

function decodeSampling(body: JsonObject, prompt: Prompt): void {
  const temperature = numberOf(body, "temperature");
  if (temperature !== undefined) prompt.temperature = temperature;
  const topP = numberOf(body, "top_p");
  if (topP !== undefined) prompt.topP = topP;
  const seed = numberOf(body, "seed");
  if (seed !== undefined) {
    if (!Number.isInteger(seed)) throw invalid("seed", "must be a whole number");
    prompt.seed = seed;
  }
  const stop = stopOf(body);
  if (stop !== undefined) prompt.stop = stop;
}

/** Fields that say how many answers are wanted, and of what kind. */
function decodeAnswer(body: JsonObject, prompt: Prompt): void {
  const n = wholeNumberOf(body, "n", ANSWERS);
  if (n !== undefined) prompt.n = n;
  const format = decodeResponseFormat(body);
  if (format !== undefined) prompt.responseFormat = format;
  const effort = effortOf(body);
  if (effort !== undefined) prompt.reasoningEffort = effort;
  booleanOf(body, "parallel_tool_calls");
  booleanOf(body, "logprobs");
  wholeNumberOf(body, "top_logprobs", TOP_LOGPROBS);
  refuseSpeech(body);
}

/** No model has a price for spoken answers, and a written one would not be what was requested. */
function refuseSpeech({ modalities = null }: JsonObject): void {
  if (modalities === null) return;
  if (Array.isArray(modalities) && modalities.every((kind) => kind === "text")) return;
  throw invalid("modalities", 'must be ["text"]: only text is generated here');
}

function stopOf({ stop = null }: JsonObject): readonly string[] | undefined {
  if (stop === null) return undefined;
  if (typeof stop === "string") return [stop];
  const isList = Array.isArray(stop) && stop.length <= MAX_STOPS;
  if (isList && stop.every((text): text is string => typeof text === "string")) return stop;
  throw invalid("stop", `must be a string or a list of at most ${MAX_STOPS} strings`);
}

/** Clients send it as `reasoning_effort` or as `reasoning.effort`. */
function effortOf(body: JsonObject): string | undefined {
  const [field, given] =
    body["reasoning_effort"] == null
      ? (["reasoning.effort", objectOf(body, "reasoning")?.["effort"]] as const)
      : (["reasoning_effort", body["reasoning_effort"]] as const);
  if (given === undefined || given === null) return undefined;
  if (typeof given === "string" && given !== "" && given.length <= MAX_EFFORT_CHARS) return given;
  throw invalid(field, "must be one of none, minimal, low, medium, high, xhigh, max");
}
