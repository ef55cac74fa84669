import type { AnswerBlock, WholeAnswer } from "../outcome.ts";

/** Far more blocks than any model produces; what comes after them is put at the end. */
const MOST_BLOCKS = 1_000;

/** Records the order of an answer's blocks as they arrive; state that most answers do not need is created lazily. */
export class AnswerOrder {
  #blocks: AnswerBlock[] | null = null;
  #characters = 0;

  text(text: string): void {
    this.#characters += text.length;
  }

  refusal(text: string): void {
    const last = this.#characters === 0 ? this.#blocks?.at(-1) : undefined;
    if (typeof last === "object" && "refusal" in last) {
      this.#blocks?.splice(-1, 1, { refusal: last.refusal + text.length });
    } else if (text !== "") this.mark({ refusal: text.length });
  }

  /**
   * True if new reasoning continues the last reasoning part: nothing else came since, or its place is no longer
   * recorded.
   */
  get isThinking(): boolean {
    if (this.#isFull) return true;
    return this.#characters === 0 && this.#blocks?.at(-1) === "thought";
  }

  /** True if nothing came after this call. */
  endsWith(call: number): boolean {
    const last = this.#blocks?.at(-1);
    return this.#characters === 0 && typeof last === "object" && "call" in last && last.call === call;
  }

  mark(block: Exclude<AnswerBlock, number>): void {
    this.#blocks ??= [];
    if (this.#isFull) return;
    if (this.#characters > 0) this.#closeText(this.#blocks);
    this.#blocks.push(block);
  }

  get #isFull(): boolean {
    return this.#blocks !== null && this.#blocks.length >= MOST_BLOCKS;
  }

  /** Omits what is in the usual order. */
  whole(): Pick<WholeAnswer, "order"> {
    if (this.#blocks === null) return {};
    const order = this.#characters > 0 ? [...this.#blocks, this.#characters] : this.#blocks;
    const isUsual = order.every((block, at) => at === 0 || isUsualBehind(order[at - 1], block));
    return isUsual ? {} : { order };
  }

  #closeText(blocks: AnswerBlock[]): void {
    blocks.push(this.#characters);
    this.#characters = 0;
  }
}

function isUsualBehind(before: AnswerBlock | undefined, block: AnswerBlock): boolean {
  if (before === undefined || rankOf(block) > rankOf(before)) return true;
  if (block === "thought") return before === "thought";
  if (typeof block !== "object" || typeof before !== "object") return false;
  return "call" in block && "call" in before && block.call > before.call;
}

function rankOf(block: AnswerBlock): number {
  if (block === "thought") return 0;
  if (typeof block === "number") return 1;
  return "refusal" in block ? 2 : 3;
}

export function blocksOf({
  order,
  content,
  refusal,
  reasoning,
  toolCalls,
}: WholeAnswer): readonly AnswerBlock[] {
  if (order !== undefined) return order;
  return [
    ...reasoning.map(() => "thought" as const),
    ...(content === "" ? [] : [content.length]),
    ...(refusal === "" ? [] : [{ refusal: refusal.length }]),
    ...toolCalls.map((_, call) => ({ call })),
  ];
}
