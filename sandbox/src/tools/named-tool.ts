/** Tools in a namespace are named `namespace__name`. */
export function plainName(name: string): string {
  const at = name.lastIndexOf("__");
  return at < 0 ? name : name.slice(at + "__".length);
}

const MAX_NAME_CHARACTERS = 128;

/**
 * Where the prompt names the tool: as it is written, or in words. What `get_weather` gets is enough; a single word such
 * as `read` only after "use", "call" or the like, since it may be meant otherwise.
 */
export function placeOfTool(name: string, prompt: string): number | undefined {
  const plain = plainName(name).slice(0, MAX_NAME_CHARACTERS);
  const words = plain
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
  if (words.length === 0) return undefined;
  const got = /^get$/.test(words[0] ?? "")
    ? words.filter((word) => word !== "get" && word !== "current")
    : [];
  const isOneWord = words.length === 1;
  const spoken = [words, ...(got.length > 0 ? [got] : [])].map((each) => each.join("[ _-]?"));
  const before = isOneWord ? "(?<=\\b(?:use|using|call|run|invoke)(?: the)? [\"'`]?)" : "(?<![\\w-])";
  const at = prompt.search(new RegExp(`${before}(?:${spoken.join("|")})s?(?![\\w-])`, "i"));
  return at < 0 ? undefined : at;
}
