/** The words of a name as programmers write it: `getUserName`, `get_user_name` and `get-user-name` are alike. */
export function identifierWords(name: string): string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");
}

/** Without the ending of more than one. */
export function stem(word: string): string {
  return word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word;
}

/** Whether any word of a name is one of these. */
export function hasAny(words: readonly string[], these: ReadonlySet<string>): boolean {
  return words.some((word) => these.has(word));
}

export function setOf(line: string): ReadonlySet<string> {
  return new Set(line.split(" "));
}
