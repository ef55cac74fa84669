/**
 * Every text in a JSON value, wherever it stands. Names of fields are texts, too: a model reads the JSON that they stand
 * in. As deep as the value is, which whoever has read it has bounded.
 */
export function visitTexts(value: unknown, visit: (text: string) => void): void {
  if (typeof value === "string") visit(value);
  else if (Array.isArray(value)) for (const each of value) visitTexts(each, visit);
  else if (typeof value === "object" && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      visit(name);
      visitTexts(each, visit);
    }
  }
}

export function textsOf(value: unknown): ReadonlySet<string> {
  const texts = new Set<string>();
  visitTexts(value, (text) => texts.add(text));
  return texts;
}
