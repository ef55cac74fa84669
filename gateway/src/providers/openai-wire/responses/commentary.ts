import { isObject } from "../../../kit/index.ts";

/**
 * Messages that a model writes beside its answer. Before JSON they would spoil it for whoever parses it, so there they
 * are held back; if nothing else was said, they are all there is to emit.
 */
export class Commentary {
  readonly #items = new Set<unknown>();
  readonly #texts = new Map<unknown, string>();

  /** To be called when an item begins or ends. */
  see(item: unknown, index: unknown): void {
    if (isObject(item) && item["phase"] === "commentary") this.#items.add(index);
  }

  /** True if the text belongs to such a message, and is held back. */
  keeps(text: string, index: unknown): boolean {
    if (!this.#items.has(index)) return false;
    this.#texts.set(index, (this.#texts.get(index) ?? "") + text);
    return true;
  }

  /** All text that was held back, by message. */
  get texts(): readonly string[] {
    return [...this.#texts.values()];
  }
}
