/**
 * What came before a piece of reasoning in its answer: the blocks since the previous piece. Providers that sign
 * reasoning accept it only in its original place, but clients send back one text and a list of calls, without the order
 * between them.
 */
export type Block = TextBlock | "call";
/** Length in characters. */
type TextBlock = number;

/** Far more than a model produces between two pieces of reasoning. */
const MOST_BLOCKS = 256;
const BLOCKS = /^(?:c|\d{1,9})(?:,(?:c|\d{1,9}))*$/;
const CALL = "c";

/** Records the order of blocks while an answer streams. */
export class BlockLog {
  #blocks: Block[] = [];
  #openText: string | null = null;

  text(id: string, text: string): void {
    if (text === "") return;
    const last = this.#blocks.at(-1);
    if (this.#openText === id && typeof last === "number") {
      this.#blocks[this.#blocks.length - 1] = last + text.length;
    } else this.#blocks.push(text.length);
    this.#openText = id;
  }

  call(): void {
    this.#blocks.push("call");
    this.#openText = null;
  }

  /** The blocks since the last call of `take`. */
  take(): readonly Block[] {
    const blocks = this.#blocks;
    this.#blocks = [];
    this.#openText = null;
    return blocks;
  }
}

/** Empty if there are no blocks, or more than a signature should carry. */
export function writeBlocks(blocks: readonly Block[]): string {
  if (blocks.length > MOST_BLOCKS) return "";
  return blocks.map((block) => (block === "call" ? CALL : block)).join(",");
}

/** Null if the text is not a list of blocks. */
export function readBlocks(text: string): readonly Block[] | null {
  if (!BLOCKS.test(text)) return null;
  return text.split(",").map((block) => (block === CALL ? "call" : Number(block)));
}

/**
 * Splits an answer into its blocks again. If the client changed or dropped some, less is returned, but nothing twice.
 */
export class BlockReader<Call> {
  readonly #text: string;
  readonly #calls: readonly Call[];
  #at = 0;
  #called = 0;

  constructor(text: string, calls: readonly Call[]) {
    this.#text = text;
    this.#calls = calls;
  }

  take(blocks: readonly Block[]): Taken<Call>[] {
    return blocks.flatMap((block) => (block === "call" ? this.#takeCalls(1) : this.#takeText(block)));
  }

  rest(): Taken<Call>[] {
    return [...this.#takeText(this.#text.length), ...this.#takeCalls(this.#calls.length)];
  }

  #takeText(characters: number): Taken<Call>[] {
    const from = this.#at;
    this.#at = Math.min(this.#text.length, from + characters);
    // Do not split a surrogate pair: providers refuse half a character.
    if (isInside(this.#text, this.#at)) this.#at += 1;
    const text = this.#text.slice(from, this.#at);
    return text.trim() === "" ? [] : [{ text }];
  }

  #takeCalls(most: number): Taken<Call>[] {
    const calls = this.#calls.slice(this.#called, this.#called + most);
    this.#called += calls.length;
    return calls.map((call) => ({ call }));
  }
}

export type Taken<Call> = { readonly text: string } | { readonly call: Call };

function isInside(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1));
}
