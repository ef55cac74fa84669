/** Reads headers of coded video bit by bit; zeros follow the end. */
export class Bits {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get taken(): number {
    return this.#at;
  }

  /** True if more was read than there is. */
  get isCut(): boolean {
    return this.#at > this.#bytes.length * 8;
  }

  take(count: number): number {
    let value = 0;
    for (let bit = 0; bit < count; bit++, this.#at++) {
      const byte = this.#bytes[this.#at >> 3] ?? 0;
      value = value * 2 + ((byte >> (7 - (this.#at & 7))) & 1);
    }
    return value;
  }
}
