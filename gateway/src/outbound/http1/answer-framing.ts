import type { AnswerHead } from "./answer-head.ts";
import { BadAnswer } from "./bad-answer.ts";
import { ChunkedFraming } from "./chunked-framing.ts";
import type { Framing } from "./framing.ts";

/** Statuses that never have a body, whatever their headers say. */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);
const DIGITS = /^\d{1,15}$/;

export function framingOf({ status, coding, length }: AnswerHead): Framing {
  if (BODILESS.has(status)) return new LengthFraming(0);
  if (coding !== null) {
    if (coding.toLowerCase() !== "chunked") throw new BadAnswer("a transfer coding that nobody asked for");
    return new ChunkedFraming();
  }
  if (length === null) return new OpenFraming();
  return new LengthFraming(Number(DIGITS.test(length) ? length : lengthSaidAgain(length)));
}

/** A repeated content-length must have the same value: two that differ are a sign of smuggling. */
function lengthSaidAgain(length: string): string {
  const [first = "", ...others] = length.split(",").map((each) => each.trim());
  if (!DIGITS.test(first) || others.some((other) => other !== first))
    throw new BadAnswer("a length that is none");
  return first;
}

class LengthFraming implements Framing {
  hasSurplus = false;
  #leftBytes: number;

  constructor(sizeBytes: number) {
    this.#leftBytes = sizeBytes;
  }

  get isOver(): boolean {
    return this.#leftBytes === 0;
  }

  get mayEndHere(): boolean {
    return this.#leftBytes === 0;
  }

  take(bytes: Uint8Array): Uint8Array {
    if (bytes.byteLength <= this.#leftBytes) {
      this.#leftBytes -= bytes.byteLength;
      return bytes;
    }
    const piece = bytes.subarray(0, this.#leftBytes);
    this.hasSurplus = true;
    this.#leftBytes = 0;
    return piece;
  }
}

/** The body ends when the connection does. */
class OpenFraming implements Framing {
  readonly isOver = false;
  readonly mayEndHere = true;
  readonly hasSurplus = false;

  take(bytes: Uint8Array): Uint8Array {
    return bytes;
  }
}
