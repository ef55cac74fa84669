import type { AnswerBlock, WholeAnswer } from "./outcome.ts";

/** Far more than any model takes turns between thinking, saying and calling: what comes after stands at the end. */
const MOST_BLOCKS = 1_000;

/** Follows an answer while it comes; what most answers do not have is made when it comes. */
export class AnswerOrder {
  #blocks: AnswerBlock[] | null = null;
  #characters = 0;

  text(text: string): void {
    this.#characters += text.length;
  }

  /** Whether thoughts go on: nothing was said or called since, or where that was is no longer kept. */
  get isThinking(): boolean {
    if (this.#isFull) return true;
    return this.#characters === 0 && this.#blocks?.at(-1) === "thought";
  }

  mark(block: "thought" | "call"): void {
    this.#blocks ??= [];
    if (this.#isFull) return;
    if (this.#characters > 0) this.#blocks.push(this.#characters);
    this.#characters = 0;
    this.#blocks.push(block);
  }

  get #isFull(): boolean {
    return this.#blocks !== null && this.#blocks.length >= MOST_BLOCKS;
  }

  /** Undefined where it is the usual one. */
  whole(): readonly AnswerBlock[] | undefined {
    if (this.#blocks === null) return undefined;
    const blocks = this.#characters > 0 ? [...this.#blocks, this.#characters] : this.#blocks;
    return blocks.every(
      (block, at) => at === 0 || rankOf(block) > rankOf(blocks[at - 1]) || block === blocks[at - 1],
    )
      ? undefined
      : blocks;
  }
}

function rankOf(block: AnswerBlock | undefined): number {
  return block === "thought" ? 0 : block === "call" ? 2 : 1;
}

/** The blocks of an answer, in their order. */
export function blocksOf({ order, content, reasoning, toolCalls }: WholeAnswer): readonly AnswerBlock[] {
  const usual: readonly AnswerBlock[] = [
    ...reasoning.map(() => "thought" as const),
    ...(content === "" ? [] : [content.length]),
    ...toolCalls.map(() => "call" as const),
  ];
  return order ?? usual;
}
