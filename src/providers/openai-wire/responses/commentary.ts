import { isObject } from "../../../kit/index.ts";

/**
 * Messages that a model says beside its answer. Before JSON they would spoil it for whoever parses it, so they are kept
 * back there; where nothing else is said they are what there is to tell.
 */
export class Commentary {
  readonly #items = new Set<unknown>();
  readonly #texts = new Map<unknown, string>();

  /** Looks at an item as it begins or ends. */
  see(item: unknown, index: unknown): void {
    if (isObject(item) && item["phase"] === "commentary") this.#items.add(index);
  }

  /** Whether the words are of such a message, and are kept. */
  keeps(text: string, index: unknown): boolean {
    if (!this.#items.has(index)) return false;
    this.#texts.set(index, (this.#texts.get(index) ?? "") + text);
    return true;
  }

  /** All that was kept, message by message. */
  get texts(): readonly string[] {
    return [...this.#texts.values()];
  }
}
