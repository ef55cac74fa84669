import type { ChatEvent, WireEvent } from "../../../contract/index.ts";
import type { ChatOutcome, ChatStreamPart, Paid } from "../../../generation/index.ts";
import { isObject, unreachable } from "../../../kit/index.ts";
import { encodeCharge, encodeStopped } from "../../fields/paid-fields.ts";
import { errorFrame } from "../errors.ts";
import type { JsonObject } from "../json-fields.ts";
import type { PartEncoder } from "../open-stream.ts";
import { type AnswerChunks, closingMembers, createAnswerChunks } from "./answer-chunks.ts";
import type { ChoiceForm } from "./chat-choice.ts";
import { encodeUsage } from "./chat-usage.ts";
import { createChunkFrame, DONE } from "./chunk-frame.ts";

/** One choice of a whole reply as chunks: the JSON members of those with its content, then of the one that ends it. */
type WholeChoice = {
  readonly index: number;
  readonly pieces: readonly string[];
  readonly closing: string;
};

/**
 * Splits a whole reply of this wire into chunks, for an upstream that was asked for a stream but replied in one piece,
 * and for a repeat whose answer was stored that way. Replies from upstream were repaired when they came. Fields beside
 * `choices` go on the first chunk of each choice.
 */
function choicesOfWhole(whole: JsonObject): readonly WholeChoice[] {
  const { choices, ...extras } = whole;
  if (!Array.isArray(choices)) return [];
  return choices.filter(isObject).map((choice, at) => {
    const { message: given, index: named, logprobs = null, finish_reason: reason, ...more } = choice;
    const index = typeof named === "number" ? named : at;
    const { tool_calls: calls, ...words } = isObject(given) ? given : {};
    const first = { choices: [{ index, delta: words, logprobs, finish_reason: null, ...more }], ...extras };
    const fragments = Array.isArray(calls) ? calls.filter(isObject).flatMap(fragmentsOf) : [];
    const chunks = fragments.map((fragment) => ({
      choices: [{ index, delta: { tool_calls: [fragment] }, logprobs: null, finish_reason: null }],
    }));
    return {
      index,
      pieces: [first, ...chunks].map((chunk) => JSON.stringify(chunk).slice(1, -1)),
      closing: closingMembers(index, String(reason ?? "stop")),
    };
  });
}

/** In a stream, a call first gives its id and the name of its tool, then its arguments. */
function fragmentsOf(call: JsonObject, index: number): readonly JsonObject[] {
  const { type, function: work, custom } = call;
  const [kind, given, field] =
    type === "custom" ? ["custom", custom, "input"] : ["function", work, "arguments"];
  const { [field]: text, ...named } = isObject(given) ? given : {};
  const start = { index, ...call, [kind]: { ...named, [field]: "" } };
  return text === "" || text === undefined ? [start] : [start, { index, [kind]: { [field]: text } }];
}

/** OpenAI repeats them in every chunk; those that came before the usage chunk are not passed on twice. */
const OF_EVERY_CHUNK = ["service_tier", "system_fingerprint"];

/** How many field names chunks without choices may bring; a server has a handful. */
const MAX_BESIDE = 64;

type ChatChunksInput = {
  readonly requestId: string;
  readonly model: string;
  /** Number of answers requested. */
  readonly n: number;
  readonly includesUsage: boolean;
  readonly form: ChoiceForm;
};

type FinishEvent = Extract<ChatEvent, { type: "finish" }>;

/**
 * A stream's parts as chunks. The cost is on the usage chunk if the client asked for one, otherwise on the last chunk
 * that ends an answer. That chunk waits until the call is settled; nothing else waits.
 */
export function createChatChunks(input: ChatChunksInput): PartEncoder {
  const { n, includesUsage, form } = input;
  const frame = createChunkFrame(input);
  const { head, tail } = frame;
  const answers: AnswerChunks[] = [];
  const closed = new Set<number>();
  /** JSON members of the latest chunk that ends an answer, held back since it may have to carry the cost. */
  let held: string | null = null;
  /** Fields that concern all answers and go on the last chunk; a later value replaces an earlier one. */
  let beside: JsonObject | null = null;
  let isWire = false;
  /** Number of answers that really came, since some servers return fewer than requested; null until it is known. */
  let came: number | null = null;

  function answerAt(index: number): AnswerChunks {
    const known = answers[index];
    if (known !== undefined) return known;
    const made = createAnswerChunks({ frame, index, form });
    answers[index] = made;
    return made;
  }

  function end(members: string, out: string[]): void {
    const next = includesUsage ? members : held;
    if (!includesUsage) held = members;
    if (next !== null) out.push(frame.wrap(next));
  }

  /** Adds to the same object: a copy for each chunk would take quadratic time. */
  function addBeside(members: string): void {
    const kept: Record<string, unknown> = beside ?? {};
    beside = kept;
    let room = MAX_BESIDE - Object.keys(kept).length;
    for (const [name, value] of Object.entries(fieldsOf(members))) {
      if (!Object.hasOwn(kept, name) && room-- <= 0) return;
      Object.defineProperty(kept, name, { value, enumerable: true, configurable: true, writable: true });
    }
  }

  function repeatBeside(fields: JsonObject): void {
    for (const name of OF_EVERY_CHUNK)
      if (fields[name] !== undefined) beside = { [name]: fields[name], ...beside };
  }

  function addWire(event: WireEvent, out: string[]): void {
    isWire = true;
    if (event.isBeside === true) {
      addBeside(event.members);
      return;
    }
    if (event.isClosing !== true) {
      out.push(head + event.members + tail);
      return;
    }
    for (const index of n === 1 ? [0] : indexesIn(event.members)) closed.add(index);
    if (includesUsage) repeatBeside(fieldsOf(event.members));
    end(event.members, out);
  }

  function closeAll(count: number, reasonOf: (index: number) => FinishEvent["reason"], out: string[]): void {
    for (let index = 0; index < count; index++) {
      if (closed.has(index)) continue;
      closed.add(index);
      const reason = reasonOf(index);
      end(isWire ? closingMembers(index, reason) : answerAt(index).close(reason, out), out);
    }
  }

  /** Adds an answer in one piece: from an upstream that was asked for a stream, or stored for a repeat. */
  function addWhole(whole: JsonObject, out: string[]): void {
    isWire = true;
    const choices = choicesOfWhole(whole);
    came = choices.length;
    if (includesUsage) repeatBeside(whole);
    for (const { index, pieces, closing } of choices) {
      closed.add(index);
      for (const piece of pieces) out.push(frame.wrap(piece));
      end(closing, out);
    }
  }

  function addFinish({ whole, reason, reasons }: FinishEvent, out: string[]): void {
    came = reasons?.length ?? n;
    if (isWire) return;
    if (whole !== undefined) addWhole(whole, out);
    else closeAll(came, (index) => reasons?.[index] ?? reason, out);
  }

  function encodeEvents(events: readonly ChatEvent[]): string[] {
    const out: string[] = [];
    for (let at = 0; at < events.length; at++) {
      const event = events[at] as ChatEvent;
      if (event.type === "wire") addWire(event, out);
      else if (event.type === "finish") addFinish(event, out);
      else if (event.type !== "input") {
        const logprobs = event.type === "text" ? logprobsAfter(events, at, event.index) : undefined;
        answerAt(event.index ?? 0).add(event, out, logprobs);
        if (logprobs !== undefined) at++;
      }
    }
    return out;
  }

  function encodeDone(paid: Paid<ChatOutcome>): string[] {
    const out: string[] = [];
    const { outcome } = paid;
    if (outcome.wire !== null && !isWire) addWhole(outcome.wire, out);
    // Neither a repeat nor an answer that we cut short has a `finish` event.
    const reasonOf = (index: number) => outcome.answers[index]?.finishReason ?? outcome.finishReason;
    closeAll(came ?? (outcome.answers.length || n), reasonOf, out);
    const charge = JSON.stringify(encodeCharge(paid)).slice(1, -1);
    const last = includesUsage ? `"choices":[],"usage":${JSON.stringify(encodeUsage(outcome.usage))}` : held;
    out.push(frame.wrapLast(`${beside === null ? last : withFields(last, beside)},${charge}`), DONE);
    return out;
  }

  return {
    encode(part: ChatStreamPart) {
      switch (part.type) {
        case "events":
          return encodeEvents(part.events);
        case "done":
          return encodeDone(part.paid);
        case "error":
          return [errorFrame(part.error, encodeStopped(part.charge)), DONE];
        default:
          return unreachable(part);
      }
    },
  };
}

function withFields(members: string | null, fields: JsonObject): string {
  return JSON.stringify({ ...fieldsOf(members ?? ""), ...fields }).slice(1, -1);
}

function fieldsOf(members: string): JsonObject {
  return JSON.parse(`{${members}}`) as JsonObject;
}

/** Log probabilities go into the chunk of the text that they belong to, if both came together. */
function logprobsAfter(
  events: readonly ChatEvent[],
  at: number,
  index?: number,
): readonly unknown[] | undefined {
  const next = events[at + 1];
  return next?.type === "logprobs" && next.index === index ? next.content : undefined;
}

/**
 * Indexes of the answers in a chunk. It has to be parsed, so only closing chunks are, and only if there are several
 * answers.
 */
function indexesIn(members: string): readonly number[] {
  const { choices } = fieldsOf(members) as { choices?: { index?: number }[] };
  return (choices ?? []).map(({ index }) => index ?? 0);
}
