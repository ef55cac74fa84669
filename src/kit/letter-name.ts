const MOST_CHARS = 40;

/** What mail programs make links of: a dot, an @, a colon or a slash with something right behind it. */
const LINKING = /[.:/\\@。．｡：／＠]+(?=[^\s.])/gu;

/**
 * A name that somebody chose, as a letter may carry it to people who do not know them: short, and without anything that
 * becomes a link. Otherwise a name is a sentence with an address, sent in the operator's name to whoever one likes.
 */
export function letterName(name: string): string {
  const plain = name.replace(LINKING, " ").replace(/\s+/g, " ").trim();
  const letters = [...new Intl.Segmenter().segment(plain)].map(({ segment }) => segment);
  return letters.length > MOST_CHARS ? `${letters.slice(0, MOST_CHARS).join("").trim()}…` : plain;
}
