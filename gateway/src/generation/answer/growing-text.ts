/**
 * Pieces held before they are joined. A piece is a slice of a received buffer and keeps all of it alive, many times
 * its own size: without this bound a long stream would hold everything its provider ever sent.
 */
const MOST_PIECES = 32;

/** Text that arrives in pieces and is needed whole only at the end, if at all. */
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
