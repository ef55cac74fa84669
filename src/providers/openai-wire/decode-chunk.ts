import { isObject } from "../../kit/index.ts";
import { type ChatEvent, type FinishReason, ProviderFailure, type ReportedUsage } from "../contract.ts";
import { couldNotFinish } from "../finish-words.ts";
import { newsOfUnread } from "../outbound/index.ts";
import { type AnswerDecoder, createAnswerDecoder } from "./decode-answer.ts";
import { decodeFinishReason, saysItFailed } from "./decode-finish.ts";
import { decodeUsage, type UsageHabits } from "./decode-usage.ts";
import type { WireChoice, WireChunk, WireDelta } from "./wire-chunk.ts";
import { wireFailure } from "./wire-failure.ts";

export type DecodeContext = UsageHabits & {
  /** How many answers were asked for; what comes beyond is nobody's. */
  readonly n: number;
  /** The caller chose one tool by its name. */
  readonly namedTool: boolean;
  readonly namespace: string;
  /** Thoughts that nobody signs get a mark of whose they are: only then they can go back to whoever had them. */
  readonly marksThoughts?: boolean;
  /** What an error of the provider's may repeat and nobody may see. */
  readonly secrets: readonly string[];
  /** One reply instead of a stream. Some servers put both a message and a delta into either. */
  readonly whole: boolean;
};

/** Turns parsed chunks into neutral events; a whole reply is a single chunk. */
export type ChunkDecoder = {
  /** Throws the ProviderFailure that the chunk tells of. */
  push(chunk: unknown, out: ChatEvent[]): void;
  /** Arguments of the first answer's last call, read and told the short way. */
  toldArguments(text: string): void;
  /**
   * What an answer ends in; throws where the provider never said that it ended. `isComplete`: all of it has come, by
   * what the reply or the stream itself says.
   */
  end(out: ChatEvent[], isComplete: boolean): void;
};

/** Reads one answer, in neutral events or in the words of the wire. */
export type CreateAnswer = (index: number) => AnswerDecoder;

export function createChunkDecoder(context: DecodeContext, createAnswer?: CreateAnswer): ChunkDecoder {
  const { n, namedTool, namespace, marksThoughts = false, secrets, whole } = context;
  const answers: AnswerDecoder[] = [];
  /** What was said before any choice: the first one tells it, since clients trip over a chunk without any. */
  let early: WireChunk | null = null;
  let usage: ReportedUsage | null = null;

  function answerAt(given: unknown, unnumbered: number): AnswerDecoder | undefined {
    const index = given ?? unnumbered;
    if (typeof index !== "number" || !(index >= 0 && index < n) || !Number.isInteger(index)) return undefined;
    for (let at = answers.length; at <= index; at++) {
      answers.push(
        createAnswer?.(at) ?? createAnswerDecoder({ index: at, namespace, namedTool, marksThoughts }),
      );
    }
    return answers[index];
  }

  /** The last report counts: some send one with every chunk, each larger than the one before. */
  function takeUsage(given: unknown): void {
    if (given) usage = decodeUsage(given, context) ?? usage;
  }

  function pushChoice(chunk: WireChunk, choice: WireChoice, out: ChatEvent[], unnumbered: number): void {
    if (choice.error) throw wireFailure(choice.error, secrets);
    if (saysItFailed(choice.finish_reason)) throw couldNotFinish("the server's own finish_reason");
    // In a stream with both, the message repeats in full what the deltas have said.
    const given = whole ? (choice.message ?? choice.delta) : (choice.delta ?? choice.message);
    const answer = answerAt(choice.index, unnumbered);
    if (answer !== undefined) {
      const delta = readableDelta(given, { mayBeAbsent: !whole || isFiltered(choice.finish_reason) });
      answer.push({ chunk, choice, delta, isWhole: whole }, out);
    }
    if (choice.usage) takeUsage(choice.usage);
  }

  return {
    push(given, out) {
      if (typeof given !== "object" || given === null) throw unreadable("a chunk that is no object");
      const chunk = given as WireChunk;
      if (chunk.error) throw wireFailure(chunk.error, secrets);
      if (chunk.object === "error") throw wireFailure(chunk, secrets);
      if (Array.isArray(chunk.choices) && chunk.choices.length > 0) {
        const told: WireChunk = early === null ? chunk : { ...early, ...chunk };
        early = null;
        const choices = chunk.choices as readonly unknown[];
        const isInOrder = n > 1 && choices.length > 1 && !choices.some(hasNumber);
        for (let place = 0; place < choices.length; place++) {
          const choice = choices[place];
          if (isObject(choice)) pushChoice(told, choice, out, isInOrder ? place : 0);
        }
      } else if (answers.length === 0) early ??= chunk;
      takeUsage(chunk.usage ?? chunk.x_groq?.usage);
    },
    toldArguments: (text) => answers[0]?.toldArguments(text),
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
      // A server that does not know `n` answers once: its reader has that answer by now and pays for it alone.
      out.push({ type: "finish", reason, ...(n > 1 ? { reasons } : {}), usage });
    },
  };
}

/**
 * Throws where nobody could read what was said: that is no answer of no words. A piece of a stream may leave it out, as
 * the last one often does, and so may an answer that was filtered away.
 */
function readableDelta(given: unknown, { mayBeAbsent }: { readonly mayBeAbsent: boolean }): WireDelta {
  // Servers in PHP write an object without keys as a list.
  const isNothing = given === undefined || given === null || (Array.isArray(given) && given.length === 0);
  if (mayBeAbsent && isNothing) return {};
  if (!isObject(given)) throw unreadable("a choice whose message is no object");
  const { content } = given;
  if (content !== undefined && content !== null && typeof content !== "string" && !Array.isArray(content)) {
    throw unreadable(`content that is a ${typeof content}`);
  }
  return given;
}

function isFiltered(word: unknown): boolean {
  return typeof word === "string" && decodeFinishReason(word) === "content_filter";
}

/** A server that numbers none of several answers means the order in which they stand. */
function hasNumber(choice: unknown): boolean {
  return isObject(choice) && typeof choice["index"] === "number";
}

/** `isComplete`: nothing was cut, but there is no answer in it, as some servers say that a prompt is blocked. */
export function brokeOff(isComplete: boolean): ProviderFailure {
  return new ProviderFailure("unavailable", "The model's answer broke off.", {
    internal: isComplete
      ? "a whole reply without a finish_reason"
      : "the stream ended without a finish_reason",
    ...(isComplete ? { news: "up" } : {}),
  });
}

export function unreadable(internal: string, cause?: unknown): ProviderFailure {
  return new ProviderFailure("unavailable", "The model's answer could not be read.", {
    internal,
    ...newsOfUnread(cause),
  });
}
