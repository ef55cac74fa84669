import { pickOne, type Random } from "../../random.ts";
import { textsOfFormat } from "../format-texts.ts";
import type { Length, PatternBook } from "../pattern/pattern-text.ts";
import { fitsFormat } from "./schema-format.ts";
import { numberOf, partsOf, type SchemaNode } from "./schema-node.ts";

const WORDS: readonly [string, ...string[]] = [
  "amber",
  "birch",
  "cobalt",
  "delta",
  "ember",
  "fjord",
  "grove",
  "harbour",
];
/** No real schema means a longer text by its minimum length. */
const MAX_MADE_CHARACTERS = 10_000;
const MAX_TRIED = 16;
const ANY_LENGTH: Length = { min: 0, max: Number.POSITIVE_INFINITY };

function lengthOf(node: SchemaNode): Length {
  const min = Math.max(0, numberOf(node, "minLength") ?? 0);
  return { min, max: Math.max(min, numberOf(node, "maxLength") ?? Number.POSITIVE_INFINITY) };
}

/** Matching a pattern against a longer text could use up all the answer's steps. */
const MAX_TRIED_CHARACTERS = 60;

/** Whether a text from the prompt may be used here, as far as can be judged without matching a pattern. */
export function fitsText(node: SchemaNode, text: string): boolean {
  if (text.length > MAX_TRIED_CHARACTERS && saidOf(node, "pattern").length > 0) return false;
  if (!saidOf(node, "format").every((format) => fitsFormat(format, text))) return false;
  const { min, max } = lengthOf(node);
  const length = [...text].length;
  return length >= min && length <= max;
}

/**
 * Texts that match patterns, formats and length if that is possible, else only the patterns. `from` skips that many,
 * for lists whose items must differ.
 */
export function* textsOf(
  node: SchemaNode,
  by: { readonly random: Random; readonly patterns: PatternBook },
  from = 0,
): Generator<string> {
  const stated = lengthOf(node);
  const length = { min: Math.min(stated.min, MAX_MADE_CHARACTERS), max: stated.max };
  const [patterns, formats] = [saidOf(node, "pattern"), saidOf(node, "format")];
  const isFormatted = (text: string) => formats.every((format) => fitsFormat(format, text));
  const matchesAll = (text: string, all: readonly string[]) =>
    all.every((pattern) => by.patterns.matches(pattern, text));
  const isRight = (text: string) => isFormatted(text) && matchesAll(text, patterns);
  const unformatted: string[] = [];
  for (const format of formats) {
    for (const text of textsOfFormat(format, length, from)) if (isRight(text)) yield text;
  }
  for (const text of mixedTexts(formats, patterns, { ...by, from }))
    if (isLong(text, length) && isRight(text)) yield text;
  for (const pattern of patterns) {
    const beside = patterns.filter((other) => other !== pattern);
    for (const text of by.patterns.texts(pattern, length, by.random, beside)) {
      if (isRight(text)) yield text;
      else if (unformatted.length < MAX_TRIED && matchesAll(text, beside)) unformatted.push(text);
    }
  }
  // If no text of the pattern has the format, the schema is mistaken; the pattern shows what was meant.
  yield* unformatted;
  const words = `sandbox ${pickOne(by.random, WORDS)}`;
  for (let at = from; at < from + MAX_TRIED; at++) yield wordsOf(words, at, length);
}

/**
 * A pattern may describe only a part (`^2031-`, `\\+02:00$`): tries it in every position of the format's usual text.
 */
function* mixedTexts(
  formats: readonly string[],
  patterns: readonly string[],
  by: { readonly random: Random; readonly patterns: PatternBook; readonly from: number },
): Generator<string> {
  for (const format of patterns.length === 0 ? [] : formats) {
    const [whole] = textsOfFormat(format, ANY_LENGTH, by.from);
    for (const pattern of whole === undefined ? [] : patterns) {
      const [part] = by.patterns.texts(pattern, ANY_LENGTH, by.random);
      if (whole === undefined || part === undefined || part.length > whole.length) continue;
      yield `sandbox${part}`;
      for (let start = 0; start <= whole.length; start++) {
        for (let end = start; end <= whole.length; end++)
          yield whole.slice(0, start) + part + whole.slice(end);
      }
    }
  }
}

function isLong(text: string, { min, max }: Length): boolean {
  return text.length >= min && text.length <= max;
}

function wordsOf(words: string, at: number, length: Length): string {
  const text = at === 0 ? words : `${words} ${at + 1}`;
  if (text.length <= length.max) return text.padEnd(length.min, ".");
  if (at === 0) return text.slice(0, length.max);
  return at.toString(36).slice(-length.max).padEnd(length.min, ".");
}

/** The keyword's values in the schema and in its parts that could not be merged into it. */
function saidOf(node: SchemaNode, keyword: "pattern" | "format"): string[] {
  return partsOf(node).flatMap(({ [keyword]: said }) => (typeof said === "string" ? [said] : []));
}
