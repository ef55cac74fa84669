/**
 * Of each kind of quotes, also the lower and the pointed ones. Behind a number they are inches, and single ones are
 * apostrophes inside a word or around one letter, as in rock 'n' roll.
 */
const QUOTED = [
  /(?<!\p{N})["“”„]([^"“”„]+)["“”]/u,
  /«([^«»]+)»/u,
  /(?<![\p{L}\p{N}])['‘‚]([^'‘’‚]{2,})['’‘](?![\p{L}\p{N}])/u,
];

/** What shall stand there word for word; undefined where nothing is quoted. */
export function quotedWords(caption: string): string | undefined {
  for (const pattern of QUOTED) {
    const words = pattern.exec(caption)?.[1]?.trim();
    if (words) return words;
  }
  return undefined;
}
