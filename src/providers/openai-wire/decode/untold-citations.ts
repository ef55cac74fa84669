/** The citations of one answer: some servers repeat earlier ones with every chunk. */
export class UntoldCitations {
  readonly #told = new Set<string>();

  /** The new ones; each is returned only once. */
  of(annotations: readonly unknown[]): readonly unknown[] {
    return annotations.filter((annotation) => {
      const before = this.#told.size;
      return this.#told.add(JSON.stringify(annotation)).size > before;
    });
  }
}
