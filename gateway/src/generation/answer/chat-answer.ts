import { MAX_CHOICES } from "../../catalog/index.ts";
import type { ChatEvent, FinishReason, ReportedInput, WireEvent } from "../../contract/index.ts";
import { JoinedChunks, writtenInWhole } from "../../wires/index.ts";
import type { WholeAnswer } from "../outcome.ts";
import type { TargetBatch } from "../targets/chat-targets.ts";
import { AnswerParts } from "./answer-parts.ts";
import { GrowingText } from "./growing-text.ts";

/** For all answers of a call together: far beyond any model's output, yet harmless. */
export const MAX_ANSWER_CHARACTERS = 16 * 1024 * 1024;

/** The answers of a call, as far as they have arrived. */
export type ChatAnswer = {
  /** The target that answers; empty before the first byte. */
  readonly target: string;
  /** Everything the model wrote (text, reasoning, tool calls), for our own count of its tokens. */
  readonly written: string;
  /** The length of `written` before `finish`, without joining the pieces. */
  readonly characters: number;
  /** True if it came in the caller's own wire: then `whole` has no content, and `wire` may hold the reply. */
  readonly isWire: boolean;
  readonly finish: Extract<ChatEvent, { type: "finish" }> | null;
  /** The input usage that the provider reported before the end. */
  readonly input: ReportedInput | null;
  /** Every answer as far as it came; `cut` is the finish reason of those that reported none. */
  whole(cut: FinishReason): readonly WholeAnswer[];
  /** The same as one reply in the caller's own wire; null if it came in another form, or was not kept. */
  wire(cut: FinishReason): Readonly<Record<string, unknown>> | null;
  add(batch: TargetBatch): void;
  /** Adds a single event, for a caller that may stop in the middle of a batch. */
  take(target: string, event: ChatEvent): void;
};

/**
 * `keepsChunks`: chunks in the caller's own wire are joined into a whole reply, for a caller that waits for it or for
 * a repeat.
 */
export function createChatAnswer({ keepsChunks = true } = {}): ChatAnswer {
  return new GrowingAnswer(keepsChunks);
}

/** Pieces are joined on demand: for most streams nobody asks. */
class GrowingAnswer implements ChatAnswer {
  target = "";
  characters = 0;
  isWire = false;
  finish: ChatAnswer["finish"] = null;
  input: ChatAnswer["input"] = null;
  readonly #answers: AnswerParts[] = [];
  readonly #written = new GrowingText();
  readonly #keepsChunks: boolean;
  #chunks: JoinedChunks | null = null;

  constructor(keepsChunks: boolean) {
    this.#keepsChunks = keepsChunks;
  }

  get written(): string {
    const inPieces = this.#written.whole();
    const whole = this.finish?.whole;
    if (whole === undefined) return inPieces;
    // Either the streamed pieces or the final reply may leave something out: the longer one counts.
    const inWhole = writtenInWhole(whole);
    return inWhole.length > inPieces.length ? inWhole : inPieces;
  }

  whole(cut: FinishReason): readonly WholeAnswer[] {
    const reasons = this.finish?.reasons;
    const first = this.finish?.reason ?? cut;
    if (this.#answers.length === 0) this.#answers.push(new AnswerParts());
    return this.#answers.map((parts, index) => parts.whole(reasons?.[index] ?? (index === 0 ? first : cut)));
  }

  wire(cut: FinishReason): Readonly<Record<string, unknown>> | null {
    return this.finish?.whole ?? this.#chunks?.whole(cut) ?? null;
  }

  add({ target, events }: TargetBatch): void {
    for (const event of events) this.take(target, event);
  }

  take(target: string, event: ChatEvent): void {
    this.target = target;
    if (event.type === "finish") {
      this.finish = event;
      if (event.whole !== undefined) this.isWire = true;
    } else if (event.type === "wire") {
      this.isWire = true;
      this.#write(event.written);
      // Named events belong to the responses wire, whose last event contains the whole reply.
      if (event.event === undefined && this.#keepsChunks) this.#join(event);
    } else if (event.type === "input") {
      this.input = event.usage;
    } else {
      this.#partsOf(event.index ?? 0).add(event);
      if ("text" in event) this.#write(event.text);
      else if (event.type === "tool_start") this.#write(event.name);
    }
  }

  #join(chunk: WireEvent): void {
    this.#chunks ??= new JoinedChunks();
    this.#chunks.add(chunk);
  }

  #write(piece: string): void {
    this.#written.add(piece);
    this.characters += piece.length;
  }

  #partsOf(index: number): AnswerParts {
    const answers = this.#answers;
    // A larger index is a provider's mistake; it must not allocate an array of that size.
    while (answers.length <= index && answers.length < MAX_CHOICES) answers.push(new AnswerParts());
    return answers[index] ?? new AnswerParts();
  }
}

/** What is left of an answer whose reader wanted it whole and has gone: its input, and what the model thought. */
export function unread(answer: ChatAnswer): ChatAnswer {
  const reasoning = answer.isWire ? [] : answer.whole("length").flatMap((each) => each.reasoning);
  return withText(answer, reasoning.map(({ text }) => text).join(""));
}

/** An answer up to this many characters. */
export function firstOf(answer: ChatAnswer, characters: number): ChatAnswer {
  return withText(answer, answer.written.slice(0, characters));
}

function withText({ target, input }: ChatAnswer, text: string): ChatAnswer {
  const left = createChatAnswer();
  if (input !== null) left.take(target, { type: "input", usage: input });
  left.take(target, { type: "reasoning", text });
  return left;
}
