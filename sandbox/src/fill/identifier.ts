/** The words of an identifier: `getUserName`, `get_user_name` and `get-user-name` give the same. */
export function identifierWords(name: string): string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");
}

/** Strips a plural ending. */
export function stem(word: string): string {
  return word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word;
}

export function hasAny(words: readonly string[], these: ReadonlySet<string>): boolean {
  return words.some((word) => these.has(word));
}

export function setOf(line: string): ReadonlySet<string> {
  return new Set(line.split(" "));
}
