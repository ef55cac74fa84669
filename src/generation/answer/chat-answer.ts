import { MAX_CHOICES } from "../../catalog/index.ts";
import {
  type ChatEvent,
  type FinishReason,
  JoinedChunks,
  type ReportedInput,
  type WireEvent,
  writtenInWhole,
} from "../../providers/index.ts";
import type { WholeAnswer } from "../outcome.ts";
import type { TargetBatch } from "../targets/chat-targets.ts";
import { AnswerParts } from "./answer-parts.ts";
import { GrowingText } from "./growing-text.ts";

/** Of one answer at most: far beyond any model's output, short of harm. */
export const MAX_ANSWER_CHARACTERS = 16 * 1024 * 1024;

/** What has come of a call's answers so far. */
export type ChatAnswer = {
  /** Where it comes from; empty before the first byte. */
  readonly target: string;
  /** Text, reasoning and arguments together: what the model wrote, for our own count of its tokens. */
  readonly written: string;
  /** How long `written` is before `finish`, without joining it. */
  readonly characters: number;
  /** It came in the caller's own wire: `whole` knows nothing of it, but `wire` may. */
  readonly isWire: boolean;
  readonly finish: Extract<ChatEvent, { type: "finish" }> | null;
  /** What its provider said of the input beforehand. */
  readonly input: ReportedInput | null;
  /** Every answer as far as it came; `cut` is why those ended that have no end of their own. */
  whole(cut: FinishReason): readonly WholeAnswer[];
  /** The same as one reply of the caller's own wire; null where it did not come in it, or was not kept. */
  wire(cut: FinishReason): Readonly<Record<string, unknown>> | null;
  add(batch: TargetBatch): void;
  /** One event of a batch, for whoever takes no more of it than that. */
  take(target: string, event: ChatEvent): void;
};

/** `keepsChunks`: an answer in chunks of the caller's own wire is wanted whole, by who waits for it or by a repeat. */
export function createChatAnswer({ keepsChunks = true } = {}): ChatAnswer {
  return new GrowingAnswer(keepsChunks);
}

/** Pieces are joined when somebody asks: most streams are never asked. */
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
    // Pieces that came before may have left out something, and so may the reply after them.
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
      // Events that have names are of another wire, which says its whole itself.
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
    // Another index than these is a provider's mistake that must not cost an array of its size.
    while (answers.length <= index && answers.length < MAX_CHOICES) answers.push(new AnswerParts());
    return answers[index] ?? new AnswerParts();
  }
}
