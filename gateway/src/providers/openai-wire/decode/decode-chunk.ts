import {
  brokenAnswer,
  type ChatEvent,
  type FinishReason,
  type ProviderFailure,
  unreadableAnswer,
} from "../../../contract/index.ts";
import { isObject, parseForeignJson } from "../../../kit/index.ts";
import { detailOfUnread } from "../../../outbound/index.ts";
import { couldNotFinish, endingOf } from "../../finish-reasons.ts";
import { unnamedFailure } from "../unnamed-failure.ts";
import type { WireChoice, WireChunk, WireDelta } from "../wire-chunk.ts";
import { saysNothing, wireFailure } from "../wire-failure.ts";
import { CallsBeyond } from "./calls-beyond.ts";
import { type AnswerDecoder, createAnswerDecoder } from "./decode-answer.ts";
import type { CallOrigin } from "./decode-calls.ts";
import { decodeFinishReason, saysItFailed } from "./decode-finish.ts";
import { decodeUsage, type UsageHabits } from "./decode-usage.ts";
import { foldedChoice } from "./folded-choice.ts";
import { SentInDeltas } from "./sent-in-deltas.ts";
import { hasOutput, UsageReports } from "./usage-reports.ts";

/** What we must know of a call to read its answer. */
export type ReadingContext = UsageHabits &
  CallOrigin & {
    /** How many answers were requested; any further ones are ignored. */
    readonly n: number;
    /** The caller chose one tool by its name. */
    readonly namedTool: boolean;
    /** Mark unsigned reasoning with its provider's name: without a mark it could not be sent back to that provider. */
    readonly marksReasoning?: boolean;
    /** See `WireVendor`. */
    readonly contentEndings: readonly string[];
    /** Values that a provider's error may repeat and nobody may see. */
    readonly secrets: readonly string[];
  };

/** `whole`: a single reply instead of a stream. Some servers put both a message and a delta into either. */
type DecodeContext = ReadingContext & { readonly whole: boolean };

/** Turns parsed chunks into neutral events; a whole reply is a single chunk. */
type ChunkDecoder = {
  /** Throws the ProviderFailure that the chunk reports. */
  push(chunk: unknown, out: ChatEvent[]): void;
  /** The events that a plain chunk (see `PlainChunks`) would become. Nobody receives them, so nothing is remembered. */
  probe(chunk: WireChunk, out: ChatEvent[]): void;
  /** Usage was reported and no text has come since. If text follows, it must be parsed, not take the fast path. */
  readonly isCounted: boolean;
  /** Every requested answer has ended. */
  readonly hasEnded: boolean;
  /** Records arguments of the first answer's last call that the fast path has emitted. True once they are complete. */
  noteArguments(text: string): boolean;
  /**
   * Ends the answers and emits `finish`; throws if the provider has not ended one of them. `isComplete`: nothing is
   * missing, by what the reply or the stream itself says.
   */
  end(out: ChatEvent[], isComplete: boolean): void;
};

/** Creates the decoder of one answer, which emits neutral or wire events. */
export type CreateAnswer = (index: number) => AnswerDecoder;

/** A whole reply is a chunk that says everything. */
export function decodeWhole(
  reply: unknown,
  context: ReadingContext,
  createAnswer?: CreateAnswer,
): ChatEvent[] {
  const out: ChatEvent[] = [];
  const decoder = createChunkDecoder({ ...context, whole: true }, createAnswer);
  decoder.push(reply, out);
  decoder.end(out, true);
  return out;
}

export function createChunkDecoder(context: DecodeContext, createAnswer?: CreateAnswer): ChunkDecoder {
  const { n, secrets, whole } = context;
  const answers: AnswerDecoder[] = [];
  /** The first chunk without choices, merged into the first with choices: alone, clients would fail on it. */
  let early: WireChunk | null = null;
  let reports: UsageReports | null = null;
  let hasEnded = false;
  let hasWords = false;
  /** By index of the answer. */
  const sent: SentInDeltas[] = [];
  let beyond: CallsBeyond | null = null;

  /** Index of the answer that a choice belongs to: its number, else its position; undefined if nobody requested it. */
  function indexOf(given: unknown, unnumbered: number): number | undefined {
    const index = given ?? unnumbered;
    const isOurs = typeof index === "number" && index >= 0 && index < n && Number.isInteger(index);
    return isOurs ? index : undefined;
  }

  function answerAt(index: number): AnswerDecoder | undefined {
    for (let at = answers.length; at <= index; at++) {
      answers.push(createAnswer?.(at) ?? createAnswerDecoder({ ...context, index: at }));
    }
    return answers[index];
  }

  function takeUsage(given: unknown, index?: number): void {
    const usage = decodeUsage(given, context);
    if (usage === null) return;
    reports ??= new UsageReports();
    reports.take(usage, { index, isOfWords: hasWords });
  }

  /** A caller that disconnects is charged for the input by this. Goes before the chunk's own events, never alone. */
  function emitInput(out: ChatEvent[], at: number): void {
    const usage = out.length === at ? null : (reports?.newInput() ?? null);
    if (usage !== null) out.splice(at, 0, { type: "input", usage });
  }

  /** `said` itself; for a message within a stream, only what no delta has said before. */
  function unsent(said: WireDelta, { delta }: WireChoice, index: number): WireDelta {
    if (whole) return said;
    if (!delta) return sent[index]?.unsentIn(said) ?? said;
    sent[index] ??= new SentInDeltas();
    sent[index].note(said);
    return said;
  }

  function pushChoice(chunk: WireChunk, choice: WireChoice, out: ChatEvent[], unnumbered: number): void {
    if (!saysNothing(choice.error)) throw wireFailure(choice.error, secrets);
    if (saysItFailed(choice.finish_reason)) {
      throw couldNotFinish("the server's own finish_reason", isContentEnding(choice, context));
    }
    // In a stream with both, the message repeats in full what the deltas have said.
    const given = whole ? (choice.message ?? choice.delta) : (choice.delta ?? choice.message);
    const index = indexOf(choice.index, unnumbered);
    if (index === undefined) {
      pushBeyond(chunk, choice, out);
      return;
    }
    const delta = unsent(
      readableDelta(given, { mayBeAbsent: !whole || mayBeEmpty(choice.finish_reason) }),
      choice,
      index,
    );
    const answer = answerAt(index);
    const before = out.length;
    // Whatever comes after its end is not part of the answer.
    const mayGoOn = reports !== null && answer?.reason() === null;
    const kind = whole ? "whole" : choice.finish_reason ? "last" : "piece";
    answer?.push({ chunk, choice, delta, kind }, out);
    if ((mayGoOn || !hasWords) && hasOutput(out, before)) {
      hasWords = true;
      if (mayGoOn) reports?.wroteOn(index);
    }
    if (choice.finish_reason) hasEnded = answers.length === n && answers.every(isOver);
    // The usage of a single answer is that of the whole reply.
    if (choice.usage) takeUsage(choice.usage, n === 1 ? undefined : index);
  }

  function pushBeyond(chunk: WireChunk, { index, delta }: WireChoice, out: ChatEvent[]): void {
    if (whole || n > 1 || !isObject(delta)) return;
    beyond ??= new CallsBeyond();
    const calls = beyond.in(index, delta, sent[0]?.hasCalls === true);
    if (calls !== null) pushChoice(chunk, { index: 0, delta: calls }, out, 0);
  }

  function pushBeside(chunk: WireChunk, out: ChatEvent[]): void {
    const failure = hasEnded ? null : unnamedFailure(chunk, secrets);
    if (failure !== null) throw failure;
    if (Array.isArray(chunk)) {
      if (whole) throw unreadable("a reply that is a list");
      return;
    }
    if (answers.length === 0) early ??= chunk;
    else answers[0]?.beside?.(chunk, out);
  }

  return {
    push(given, out) {
      if (typeof given !== "object" || given === null) throw unreadable("a chunk that is no object");
      const chunk = given as WireChunk;
      if (chunk.error && !(saysNothing(chunk.error) && isAnswer(chunk, whole)))
        throw wireFailure(chunk.error, secrets);
      if (chunk.object === "error") throw wireFailure(chunk, secrets);
      const before = out.length;
      if (Array.isArray(chunk.choices) && chunk.choices.length > 0) {
        const joined: WireChunk = early === null ? chunk : { ...early, ...chunk };
        early = null;
        const isBeyond = whole && n === 1 && chunk.choices.length > 1;
        const choices: readonly unknown[] = isBeyond ? [foldedChoice(chunk.choices)] : chunk.choices;
        const isInOrder = n > 1 && choices.length > 1 && !choices.some(hasNumber);
        for (let place = 0; place < choices.length; place++) {
          const choice = choices[place];
          if (isObject(choice))
            pushChoice(joined, whole ? choice : piece(choice), out, isInOrder ? place : 0);
        }
      } else pushBeside(chunk, out);
      const usage = chunk.usage ?? chunk.x_groq?.usage;
      if (usage) takeUsage(usage);
      if (!whole) emitInput(out, before);
    },
    get isCounted() {
      return reports?.isCurrent === true;
    },
    get hasEnded() {
      return hasEnded;
    },
    probe(chunk, out) {
      const [choice] = chunk.choices as readonly [WireChoice];
      answers[0]?.push({ chunk, choice, delta: choice.delta ?? {}, kind: "probe" }, out);
    },
    noteArguments: (text) => answers[0]?.noteArguments(text) === true,
    end(out, isComplete) {
      const reasons: FinishReason[] = [];
      for (const answer of answers) {
        const reason = answer.reason();
        if (reason === null) throw brokeOff(isComplete);
        answer.end(out);
        reasons.push(reason);
      }
      const [reason] = reasons;
      if (reason === undefined) throw brokeOff(isComplete);
      // A server that does not support `n` answers once: the caller has received that answer and pays for it alone.
      const usage = reports?.usage(reasons.length) ?? null;
      const known = usage === null ? (reports?.emitKnown(out) ?? {}) : {};
      out.push({ type: "finish", reason, ...(n > 1 ? { reasons } : {}), usage, ...known });
    },
  };
}

/**
 * Throws if the delta cannot be read, which must not pass for an empty answer. A chunk of a stream may omit it, as the
 * last one often does, and so may an answer that was filtered or cut off.
 */
function readableDelta(given: unknown, { mayBeAbsent }: { readonly mayBeAbsent: boolean }): WireDelta {
  // Servers written in PHP send an empty object as a list, others as an empty string.
  const isList = Array.isArray(given) && given.length === 0;
  const isNothing = given === undefined || given === null || given === "" || isList;
  if (mayBeAbsent && isNothing) return {};
  if (!isObject(given)) throw unreadable("a choice whose message is no object");
  const { content } = given;
  if (content !== undefined && content !== null && typeof content !== "string" && !Array.isArray(content)) {
    throw unreadable(`content that is a ${typeof content}`);
  }
  return given;
}

/** Some servers send the string "null" while nothing has ended. */
function piece(choice: WireChoice): WireChoice {
  return choice.finish_reason === "null" ? { ...choice, finish_reason: null } : choice;
}

function isContentEnding(
  { finish_reason: word, native_finish_reason: native }: WireChoice,
  { contentEndings }: ReadingContext,
): boolean {
  if (typeof native === "string") return endingOf(native) === "content_filter";
  return typeof word === "string" && contentEndings.includes(word);
}

function mayBeEmpty(word: unknown): boolean {
  const reason = typeof word === "string" ? decodeFinishReason(word) : null;
  return reason === "content_filter" || reason === "length";
}

function isOver(answer: AnswerDecoder): boolean {
  return answer.reason() !== null;
}

/** A server that numbers none of several choices means them in order. */
function hasNumber(choice: unknown): boolean {
  return isObject(choice) && typeof choice["index"] === "number";
}

/** `isComplete`: nothing is missing, but there is no answer in it; some servers report a blocked prompt like this. */
export function brokeOff(isComplete: boolean): ProviderFailure {
  if (isComplete) return brokenAnswer("a whole reply without a finish_reason", { targetHealth: "up" });
  return brokenAnswer("the stream ended without a finish_reason");
}

export function unreadable(internal: string, cause?: unknown): ProviderFailure {
  return unreadableAnswer(internal, detailOfUnread(cause));
}

/**
 * For a chat completion, which repeats nothing of its request. Keys of log probabilities do not count, and an answer is
 * read and written several times on its way.
 */
export const MOST_CHAT_KEYS = 50_000;

/** Parses what a server sent. `what` names it for the log. */
export function parseAnswer(text: string, what: string, mostKeys?: number): unknown {
  try {
    return parseForeignJson(text, mostKeys);
  } catch (error) {
    throw unreadable(`${what} that is no JSON`, error);
  }
}

/** Whether the chunk contains any part of an answer; in a stream, usage alone is enough. */
function isAnswer({ choices, usage }: WireChunk, whole: boolean): boolean {
  if (!Array.isArray(choices)) return !whole && isObject(usage);
  return !whole || choices.length > 0;
}
