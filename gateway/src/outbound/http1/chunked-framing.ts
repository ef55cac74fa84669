import { BadAnswer } from "./bad-answer.ts";
import type { Framing } from "./framing.ts";

const CR = 13;
const LF = 10;
const SEMICOLON = 59;
/** Most digits of a chunk size; some servers pad it with zeros. */
const MOST_DIGITS = 16;
const MOST_CHUNK_BYTES = 1 << 30;
/** Most bytes of chunk extensions in total, beyond the allowance of each chunk; separately, of the trailer. */
const MOST_EXTRA_BYTES = 8 << 10;
/** Allowance for each chunk's extension, however many chunks there are: enough for a signature or for blanks. */
const EXTRA_BYTES_OF_CHUNK = 256;

type State = "size" | "extension" | "size_end" | "data" | "data_cr" | "data_lf" | "trailer" | "over";

/**
 * A chunked body. One network read may bring a hundred chunks: their data is moved together in place, so that the
 * reader gets one piece per read.
 */
export class ChunkedFraming implements Framing {
  hasSurplus = false;
  #state: State = "size";
  #size = 0;
  #digits = 0;
  #leftBytes = 0;
  #extraBytes = 0;
  /** Length so far of the current trailer line. */
  #lineBytes = 0;
  #endsWithCr = false;

  get isOver(): boolean {
    return this.#state === "over";
  }

  get mayEndHere(): boolean {
    return this.#state === "over";
  }

  take(bytes: Uint8Array): Uint8Array {
    let at = 0;
    let start = 0;
    let end = 0;
    while (at < bytes.byteLength && this.#state !== "over") {
      if (this.#state !== "data") {
        this.#step(bytes[at++] as number);
        continue;
      }
      const until = Math.min(bytes.byteLength, at + this.#leftBytes);
      if (end === 0) {
        start = at;
        end = until;
      } else {
        bytes.copyWithin(end, at, until);
        end += until - at;
      }
      this.#leftBytes -= until - at;
      at = until;
      if (this.#leftBytes === 0) this.#state = "data_cr";
    }
    if (at < bytes.byteLength) this.hasSurplus = true;
    return bytes.subarray(start, end);
  }

  #step(byte: number): void {
    switch (this.#state) {
      case "size":
        this.#stepSize(byte);
        return;
      case "extension":
        this.#countExtra();
        if (byte === CR) this.#state = "size_end";
        else if (byte === LF) throw new BadAnswer("a chunk's line that ends early");
        return;
      case "size_end":
        expectByte(byte, LF);
        this.#beginChunk();
        return;
      case "data_cr":
        expectByte(byte, CR);
        this.#state = "data_lf";
        return;
      case "data_lf":
        expectByte(byte, LF);
        this.#state = "size";
        return;
      default:
        this.#stepTrailer(byte);
    }
  }

  #stepSize(byte: number): void {
    const digit = digitOf(byte);
    if (digit >= 0) {
      this.#size = this.#size * 16 + digit;
      if (++this.#digits > MOST_DIGITS || this.#size > MOST_CHUNK_BYTES)
        throw new BadAnswer("a chunk too large");
      return;
    }
    if (this.#digits === 0) throw new BadAnswer("a chunk without a size");
    if (byte === CR) this.#state = "size_end";
    else if (byte === SEMICOLON || byte === 32 || byte === 9) this.#state = "extension";
    else throw new BadAnswer("a chunk's size that is no number");
  }

  #beginChunk(): void {
    const isLast = this.#size === 0;
    this.#state = isLast ? "trailer" : "data";
    this.#extraBytes = isLast ? 0 : Math.max(0, this.#extraBytes - EXTRA_BYTES_OF_CHUNK);
    this.#leftBytes = this.#size;
    this.#size = 0;
    this.#digits = 0;
  }

  /** Trailers are ignored; an empty line is the end. */
  #stepTrailer(byte: number): void {
    this.#countExtra();
    if (byte === LF) {
      if (!this.#endsWithCr) throw new BadAnswer("a trailer that ends early");
      if (this.#lineBytes === 1) this.#state = "over";
      this.#lineBytes = 0;
    } else this.#lineBytes++;
    this.#endsWithCr = byte === CR;
  }

  #countExtra(): void {
    if (++this.#extraBytes > MOST_EXTRA_BYTES) throw new BadAnswer("chunks with too much around them");
  }
}

function expectByte(byte: number, wanted: number): void {
  if (byte !== wanted) throw new BadAnswer("a chunk of another length than it said");
}

function digitOf(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}
