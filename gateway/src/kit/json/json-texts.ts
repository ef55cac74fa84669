/**
 * Visits every string in a JSON value at any depth, including keys, since a model reads those too. Recursive: the depth
 * of the value must have been bounded when it was parsed.
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
