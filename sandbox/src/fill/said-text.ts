import { type Sum, sumsIn } from "../talk/arithmetic.ts";
import { hasAny } from "./identifier.ts";

/** What a prompt gives in plain words for an argument, by the words of its name; undefined if nothing. */
type SaidTexts = {
  /** "with subject Hi and body Hello there", "an event called Team lunch". */
  named(words: readonly string[]): string | undefined;
  /** The whole text of `body: Hello there`, of which a label has only the first word. */
  labelled(words: readonly string[]): string | undefined;
  /** The object of a request: the text to translate, to search for or to calculate. */
  object(words: readonly string[]): string | undefined;
};

const ARTICLE = "(?:(?:an?|the|its|my)\\s)?";
/** The beginning of a value: "with a note to Bob" does not give the note, and quotes are read elsewhere. */
const VALUE =
  "(?!(?:about|and|are|as|at|by|for|from|in|is|of|on|or|that|to|was|which|with)\\b)[^\\s\"'`“,;:=]";
const LABEL_VALUE = "[^\\s\"'`“,;:=[{]";
/** The end of a value. */
const END = "[,;\\n]|[.?!]+(?:\\s|$)|$";
const NEXT_LABEL = `\\s["']?[\\w-]{1,40}["']?\\s?[:=](?!//)`;
const GOES_ON = `${END}|${NEXT_LABEL}|\\s(?:and|with)\\s${ARTICLE}[\\w-]{1,40}\\s`;

const NAMES = new Set(["title", "name", "label", "subject"]);
const CALLED = new RegExp(
  `\\b(?:called|entitled|named|titled)\\s(${VALUE}[^\\n]{0,200}?)(?=${GOES_ON}|\\s(?:at|for|from|on)\\s|\\sin\\s[\\w-]{1,40}/)`,
  "iu",
);

const SUMS = new Set(["expression", "formula", "equation", "calculation"]);
/** Words in argument names, and where a prompt has their values. */
const OBJECTS: readonly (readonly [ReadonlySet<string>, RegExp])[] = [
  [
    SUMS,
    /\b(?:calculate|compute|evaluate|solve|work out|what(?:['’]s| is))\s([^?!\n]{0,60}?\d[^?!\n]{0,200}?)(?=[?!\n]|\.(?:\s|$)|\s(?:using|with)\s|$)/i,
  ],
  [
    new Set(["text", "content", "input", "message"]),
    /\btranslate\s(?!(?:in)?to\s|this\b|the following\b)([^\n]{1,500}?)\s(?:in)?to\s\p{L}/iu,
  ],
  [new Set(["text", "content", "input", "message"]), /\btranslate\b[^:.?!\n]{0,80}:\s{1,3}([^\n]{1,500})/i],
  [
    new Set(["query", "q", "search"]),
    /\b(?:search|look|google)\b[^.?!\n]{0,40}?\sfor\s([^?!\n]{1,300}?)(?=[?!\n]|\.(?:\s|$)|,\s|\s(?:and then|then|and tell)\s|$)/i,
  ],
];

export function createSaidTexts(text: string): SaidTexts {
  /** Each is searched once: hundreds of arguments of a schema may want it. */
  const known = new Map<RegExp, string | undefined>();
  const find = (shape: RegExp) => {
    if (!known.has(shape)) known.set(shape, shape.exec(text)?.[1]?.trim());
    return known.get(shape);
  };
  const lowered = text.toLowerCase();
  const isSaid = (words: readonly string[]) => words.every((word) => lowered.includes(word));
  let sums: readonly Sum[] | undefined;
  const saidSo = new Map<string, string | undefined>();
  const said = (source: string) => {
    if (!saidSo.has(source)) saidSo.set(source, new RegExp(source, "iu").exec(text)?.[1]?.trim());
    return saidSo.get(source);
  };
  return {
    named(words) {
      const plain = hasAny(words, NAMES) ? find(CALLED) : undefined;
      // Few names of a schema are mentioned, and compiling thousands of expressions would take longer than all the
      // rest.
      if (plain !== undefined || words.length === 0 || !isSaid(words)) return plain;
      return said(
        `(?:\\b(?:with|and)|[,;])\\s${ARTICLE}${words.join("[ _-]?")}\\s(?:of\\s|is\\s)?(${VALUE}[^\\n]{0,500}?)(?=${GOES_ON})`,
      );
    },
    labelled(words) {
      return said(
        `\\b${words.join("[ _-]?")}\\s?[:=]\\s?(${LABEL_VALUE}[^\\n]{0,500}?)(?=${END}|${NEXT_LABEL})`,
      );
    },
    object(words) {
      if (hasAny(words, SUMS)) sums ??= sumsIn(text);
      const sum = hasAny(words, SUMS) ? sums?.[0]?.written : undefined;
      const shapes = OBJECTS.flatMap(([names, shape]) => (hasAny(words, names) ? [shape] : []));
      return sum ?? shapes.map(find).find((value) => value !== undefined);
    },
  };
}
