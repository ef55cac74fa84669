/** A match in a prompt. */

import { createFormatReader } from "../fill/format-clues.ts";
import { createMoments } from "../fill/moments.ts";

export type Found = { readonly value: string; readonly at: number; readonly before: string };

export type Look = {
  /** Whether the prompt contains this lower-case word, possibly as part of another. */
  says(word: string): boolean;
  /** Memoised search. Patterns built for an argument's name are passed as source, so that each is compiled once. */
  first(shape: RegExp | string, flags?: string): RegExpExecArray | null;
  all(shape: RegExp): readonly Found[];
  /** All days that are mentioned, as dates. */
  days(): readonly string[];
};

/** Per pattern. */
export const MAX_VALUES = 16;
/** Joins items of a list: "1, 2 and 3". */
const AND = /^\s?(?:,|,? and|,? und|&)\s(?:the\s)?$/;

export function createLook(text: string): Look {
  const lowered = text.toLowerCase();
  const firsts = new Map<RegExp | string, RegExpExecArray | null>();
  const alls = new Map<RegExp, readonly Found[]>();
  let days: readonly string[] | undefined;
  return {
    says: (word) => lowered.includes(word),
    first(shape, flags = "i") {
      const key = typeof shape === "string" ? `${flags}/${shape}` : shape;
      const known = firsts.get(key);
      if (known !== undefined) return known;
      const found = (typeof shape === "string" ? new RegExp(shape, flags) : shape).exec(text);
      firsts.set(key, found);
      return found;
    },
    all(shape) {
      const found = alls.get(shape) ?? allIn(text, shape);
      alls.set(shape, found);
      return found;
    },
    days: () => (days ??= createFormatReader(text, createMoments(text))("date", "none")),
  };
}

function allIn(text: string, shape: RegExp): Found[] {
  return [...text.matchAll(shape).take(MAX_VALUES)].map(({ 0: value, index: at }) => {
    return {
      value,
      at,
      before: /(\w+) $/.exec(text.slice(Math.max(0, at - 20), at))?.[1]?.toLowerCase() ?? "",
    };
  });
}

/** The first match, and those that "and" joins to it. */
export function joined(found: readonly Found[], text: string): Found[] {
  const isApart = ({ at }: Found, index: number) => {
    const last = found[index - 1];
    return last !== undefined && !AND.test(text.slice(last.at + last.value.length, at));
  };
  const end = found.findIndex(isApart);
  return found.slice(0, end < 0 ? found.length : end);
}
