import type { AnswerBlock, WholeAnswer } from "./outcome.ts";

/** Far more than any model takes turns between thinking, saying and calling: what comes after stands at the end. */
const MOST_BLOCKS = 1_000;

/** Follows an answer while it comes; what most answers do not have is made when it comes. */
export class AnswerOrder {
  #blocks: AnswerBlock[] | null = null;
  #characters = 0;
  /** Of log probabilities: those of the texts among the blocks, then those since. */
  readonly #counts: number[] = [];
  #logprobs = 0;

  text(text: string): void {
    this.#characters += text.length;
  }

  logprobs(content: readonly unknown[]): void {
    this.#logprobs += content.length;
  }

  /** Whether thoughts go on: nothing was said or called since, or where that was is no longer kept. */
  get isThinking(): boolean {
    if (this.#isFull) return true;
    return this.#characters === 0 && this.#blocks?.at(-1) === "thought";
  }

  mark(block: "thought" | "call"): void {
    this.#blocks ??= [];
    if (this.#isFull) return;
    if (this.#characters > 0) this.#closeText(this.#blocks);
    this.#blocks.push(block);
  }

  get #isFull(): boolean {
    return this.#blocks !== null && this.#blocks.length >= MOST_BLOCKS;
  }

  /** Nothing where it is the usual one. */
  whole(): Pick<WholeAnswer, "order" | "logprobCounts"> {
    if (this.#blocks === null) return {};
    const isOpen = this.#characters > 0;
    const blocks = isOpen ? [...this.#blocks, this.#characters] : this.#blocks;
    const isUsual = blocks.every(
      (block, at) => at === 0 || rankOf(block) > rankOf(blocks[at - 1]) || block === blocks[at - 1],
    );
    if (isUsual) return {};
    const counts = isOpen ? this.#counts : this.#counts.slice(0, -1);
    return counts.some((count) => count > 0) ? { order: blocks, logprobCounts: counts } : { order: blocks };
  }

  #closeText(blocks: AnswerBlock[]): void {
    blocks.push(this.#characters);
    this.#counts.push(this.#logprobs);
    this.#characters = 0;
    this.#logprobs = 0;
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
