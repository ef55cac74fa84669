const MOST_CHARS = 40;

/** Characters from which mail programs make links: a dot, an @, a colon or a slash directly before other text. */
const LINKING = /[.:/\\@。．｡：／＠]+(?=[^\s.])/gu;

/**
 * A user-chosen name made safe for emails to people who do not know the user: short, and with nothing that becomes a
 * link. Otherwise a name could be a message with a URL, sent to anybody in the operator's name.
 */
export function nameInEmail(name: string): string {
  const plain = name.replace(LINKING, " ").replace(/\s+/g, " ").trim();
  const letters = [...new Intl.Segmenter().segment(plain)].map(({ segment }) => segment);
  return letters.length > MOST_CHARS ? `${letters.slice(0, MOST_CHARS).join("").trim()}…` : plain;
}
