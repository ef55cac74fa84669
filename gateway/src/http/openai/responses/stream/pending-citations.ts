import type { OpenMessage } from "./message-writer.ts";

type OpenItem = { readonly kind: "reasoning" | "call" } | OpenMessage | null;

/** The citations of an answer; held back until a text part is open. */
export class PendingCitations {
  #waiting: unknown[] = [];

  add(content: readonly unknown[], open: OpenItem): void {
    for (const annotation of content) this.#waiting.push(annotation);
    this.emit(open);
  }

  emit(open: OpenItem): void {
    if (this.#waiting.length === 0 || open?.kind !== "message") return;
    if (open.annotations(this.#waiting)) this.#waiting = [];
  }
}
