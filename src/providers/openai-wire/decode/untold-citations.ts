/** What one answer cites: some servers say with every chunk again what they said before. */
export class UntoldCitations {
  readonly #told = new Set<string>();

  /** Those that are new; from now on they are told. */
  of(annotations: readonly unknown[]): readonly unknown[] {
    return annotations.filter((annotation) => {
      const before = this.#told.size;
      return this.#told.add(JSON.stringify(annotation)).size > before;
    });
  }
}
