/**
 * Text that was sent in pieces. They are never joined: a server may end a text after every piece, and each time all of
 * it would be copied.
 */
export class SentText {
  readonly #pieces: string[] = [];

  push(piece: string): void {
    if (piece !== "") this.#pieces.push(piece);
  }

  /** What `said` has beyond the pieces; null if it does not begin with all of them. */
  restOf(said: string): string | null {
    let at = 0;
    for (const piece of this.#pieces) {
      if (!said.startsWith(piece, at)) return null;
      at += piece.length;
    }
    return said.slice(at);
  }

  endWith(said: string): boolean {
    let left = said.length;
    for (let index = this.#pieces.length - 1; index >= 0 && left > 0; index--) {
      const piece = this.#pieces[index] ?? "";
      if (piece.length >= left) return piece.endsWith(said.slice(0, left));
      if (!said.endsWith(piece, left)) return false;
      left -= piece.length;
    }
    return left === 0;
  }
}
