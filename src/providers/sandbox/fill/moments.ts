const MONTH =
  "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\b\\.?";
const DAY = "\\d{1,2}(?:st|nd|rd|th)?";

/** What has digits in it and is no number: dates, times, links and ids. */
const NO_NUMBERS = new RegExp(
  [
    "\\bhttps?://\\S{1,500}",
    "\\b[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}\\b",
    "(?<![\\w-])\\d{4}-\\d{1,2}-\\d{1,2}(?:T(?=\\d)|(?![\\w-]))",
    "(?<![\\w/])\\d{1,4}/\\d{1,2}/\\d{1,4}(?![\\w/])",
    "(?<![\\d:])\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:[+-]\\d{2}:\\d{2})?(?![\\d:])",
    `(?:\\b${DAY}(?: of)? )?\\b${MONTH}(?: ${DAY}\\b(?!\\.\\d))?(?:,? \\d{4}\\b)?`,
  ].join("|"),
  "g",
);

const PARTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/(?<![\w-])(\d{4})-(\d{1,2})-(\d{1,2})(?![\d-])/, ["year", "month", "day"]],
  [/(?<![\d:])(\d{1,2}):(\d{2})(?::(\d{2}))?(?![\d:])/, ["hour", "minute", "second"]],
];

/** The text without the digits that are part of something else: a date is not three numbers. */
export function withoutMoments(text: string): string {
  return text.replace(NO_NUMBERS, " ");
}

/** What a date or a time in the text says to an argument of these words: the year, the hour. */
export function partOfMoment(text: string, words: readonly string[]): number | undefined {
  for (const [shape, names] of PARTS) {
    const at = names.findIndex((name) => words.includes(name));
    const part = at < 0 ? undefined : shape.exec(text)?.[at + 1];
    if (part !== undefined) return Number(part);
  }
  return undefined;
}
