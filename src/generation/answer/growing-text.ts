/**
 * Pieces held before they are copied together. A piece was cut out of what arrived and keeps all of that alive,
 * many times its own size: without this a long stream would hold everything its provider ever sent.
 */
const MOST_PIECES = 32;

/** Text that comes in pieces and is wanted whole at the end, if at all. */
export class GrowingText {
  #text = "";
  #pieces: string[] = [];

  add(piece: string): void {
    if (this.#pieces.push(piece) >= MOST_PIECES) this.#gather();
  }

  whole(): string {
    if (this.#pieces.length > 0) this.#gather();
    return this.#text;
  }

  #gather(): void {
    this.#text += this.#pieces.join("");
    this.#pieces = [];
  }
}
