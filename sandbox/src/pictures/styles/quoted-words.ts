/**
 * All kinds of quotes, including low and angled ones. After a number they mean inches; single ones are apostrophes
 * inside a word or around one letter, as in rock 'n' roll.
 */
const QUOTED = [
  /(?<!\p{N})["“”„]([^"“”„]+)["“”]/u,
  /«([^«»]+)»/u,
  /(?<![\p{L}\p{N}])['‘‚]([^'‘’‚]{2,})['’‘](?![\p{L}\p{N}])/u,
];

/** Text to be shown word for word; undefined if nothing is quoted. */
export function quotedWords(caption: string): string | undefined {
  for (const pattern of QUOTED) {
    const words = pattern.exec(caption)?.[1]?.trim();
    if (words) return words;
  }
  return undefined;
}
