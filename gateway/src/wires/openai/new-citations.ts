/** The citations of one answer: some servers repeat earlier ones with every chunk. */
export class NewCitations {
  readonly #sent = new Set<string>();

  /** The new ones; each is returned only once. */
  of(annotations: readonly unknown[]): readonly unknown[] {
    return annotations.filter((annotation) => {
      const before = this.#sent.size;
      return this.#sent.add(JSON.stringify(annotation)).size > before;
    });
  }
}
