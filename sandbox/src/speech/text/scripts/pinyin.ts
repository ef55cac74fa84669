const INITIALS: ReadonlyMap<string, string> = new Map([
  ["zh", "j"],
  ["z", "dz"],
  ["c", "ts"],
  ["q", "ch"],
  ["x", "sh"],
]);

const FINALS: ReadonlyMap<string, string> = new Map([
  ["a", "ah"],
  ["ai", "eye"],
  ["an", "ahn"],
  ["ang", "ahng"],
  ["ao", "ow"],
  ["e", "uh"],
  ["ei", "ay"],
  ["en", "un"],
  ["eng", "ung"],
  ["er", "ar"],
  ["i", "ee"],
  ["ia", "yah"],
  ["ian", "yen"],
  ["iang", "yahng"],
  ["iao", "yow"],
  ["ie", "yeh"],
  ["in", "een"],
  ["ing", "ing"],
  ["iong", "yong"],
  ["iu", "yo"],
  ["o", "aw"],
  ["ong", "ong"],
  ["ou", "oh"],
  ["u", "oo"],
  ["ua", "wah"],
  ["uai", "why"],
  ["uan", "wahn"],
  ["uang", "wahng"],
  ["ue", "weh"],
  ["ui", "way"],
  ["un", "won"],
  ["uo", "waw"],
  ["v", "yoo"],
  ["ve", "weh"],
]);

/** A syllable in a spelling that an English voice pronounces about right: xie becomes shyeh, zhong becomes jong. */
export function sayPinyin(syllable: string): string {
  const initial = /^(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?/.exec(syllable)?.[0] ?? "";
  const final = syllable.slice(initial.length);
  if (final === "i" && /^(?:zh|ch|sh|r)$/.test(initial)) return `${INITIALS.get(initial) ?? initial}ur`;
  if (final === "i" && /^[zcs]$/.test(initial)) return `${INITIALS.get(initial) ?? initial}uh`;
  if (initial === "y" && /^(?:i|in|ing)$/.test(final)) return FINALS.get(final) ?? final;
  if (initial === "w" && final === "u") return "woo";
  return `${INITIALS.get(initial) ?? initial}${FINALS.get(final) ?? final}`;
}
