import { numberIn } from "./number-in.ts";

/** Values by label, in lower case: one, or those of a list (`sizes: 4, 5 and 6`). */
export type Labels = ReadonlyMap<string, readonly string[]>;

const MAX_LABELS = 64;
const MAX_ITEMS = 64;

const TEXT = /"([^"\n]{1,500})"|'([^'\n]{1,500})'/.source;
const NUMBER = /[$€£]?-?(?:\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.\d{1,15})?(?![\w-]|[.:]\d)/.source;
const LABELLED = new RegExp(
  `["']?\\b([A-Za-z_][\\w-]{0,40})["']?\\s?[:=]\\s?\\[?\\s?(?:${TEXT}|([$€£]?-?\\d{1,3}(?:,\\d{3})+(?:\\.\\d{1,15})?(?!\\w)|[^\\s,;"'][^\\s,;]{0,200}))`,
  "g",
);

/** Separators of list items. */
const AND = "(?:and|or|und|oder|et|ou|y|e|&)\\s{1,3}";
const BETWEEN = `(?:\\s{0,3}[,;]\\s{0,3}(?:${AND})?|\\s{1,3}${AND})`;
/** A word is an item only if the list continues or ends after it: "red, then tell me" has one. */
const LETTER = `[^\\s,;:="'()[\\]{}]`;
const GOES_ON = `\\s{0,3}(?:[,;)\\]}\\n]|$|${AND}|["']?[A-Za-z_][\\w-]{0,40}["']?\\s?[:=])`;
const WORD = `(${LETTER}{1,80})(?!${LETTER})(?=${GOES_ON}|(?<=[.?!])\\s)`;
/** All items of a list have the same kind. */
const NEXT = {
  text: new RegExp(`${BETWEEN}(?:${TEXT})`, "y"),
  number: new RegExp(`(?:${BETWEEN}|\\s{1,3})(${NUMBER})`, "y"),
  word: new RegExp(`${BETWEEN}${WORD}`, "y"),
};

/** `key: value`, `key=value` and `"key": "value"`. */
export function readLabels(text: string): Labels {
  const labels = new Map<string, readonly string[]>();
  let read = 0;
  for (const match of text.matchAll(LABELLED)) {
    const [whole, label = "", ...values] = match;
    const first = trimmed(values.find((value) => value !== undefined) ?? "");
    const isText = values[0] !== undefined || values[1] !== undefined;
    const kind = isText ? "text" : numberIn(first) === undefined ? "word" : "number";
    labels.set(label.toLowerCase(), [first, ...itemsAfter(text, match.index + whole.length, kind)]);
    if (++read >= MAX_LABELS) break;
  }
  return labels;
}

function itemsAfter(text: string, start: number, kind: keyof typeof NEXT): string[] {
  const next = NEXT[kind];
  const items: string[] = [];
  next.lastIndex = start;
  while (items.length < MAX_ITEMS) {
    const found = next.exec(text);
    if (found === null) break;
    items.push(trimmed(found[1] ?? found[2] ?? ""));
  }
  return items;
}

/** Strips closing punctuation and brackets. */
function trimmed(value: string): string {
  return value.replace(/[.?!)\]}]+$/, "");
}
