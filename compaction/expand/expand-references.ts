import { ok as assert } from "node:assert/strict";
import type { Name } from "./expand-names.ts";
import { unfold } from "./shown-rows.ts";

/** An earlier text: as the model sees it, and the original. */
export type Known = { readonly label: Name; readonly shown: string; readonly original: string };

export const SAME_MARK = "§same as ";

/** The text that a reference stands for, and where the reference ends. */
type Resolved = { readonly text: string; readonly end: number };

type Place = {
  readonly text: string;
  /** Offset of the mark. */
  readonly start: number;
  readonly known: readonly Known[];
  /** The line numbers of what the reference replaces, if it has some. */
  readonly numbers?: readonly [number, number];
};

/** Resolves a reference like a reader who knows only the notation. */
export function resolveReference({ text, start, known, numbers }: Place): Resolved {
  const reader = createReader(text, start + SAME_MARK.length);
  const isSameLines = reader.eat(/in /y) !== null;
  const range = isSameLines ? null : reader.eat(/lines (\d+)-(\d+) of /y);
  const source = reader.eatLabel(known);
  const finish = (words: string): Resolved => {
    reader.eat(/§/y);
    return { text: words, end: reader.at() };
  };
  if (isSameLines) {
    assert(numbers !== undefined, "only numbered lines can be the same lines");
    return finish(numberedLines(source.original, numbers[0], numbers[1]));
  }
  if (range !== null) return finish(numberedLines(source.original, Number(range[1]), Number(range[2])));
  if (reader.eat(/ from /y) === null) return finish(source.original);
  const head = reader.eatQuote();
  const from = source.shown.indexOf(head);
  assert(from >= 0, `${head} stands in ${source.label()}`);
  const count = reader.eat(/, (\d+) lines/y);
  if (count !== null) {
    return finish(said(source, from, { lines: Number(count[1]) }));
  }
  assert(reader.eat(/ to /y) !== null, "a block ends somewhere");
  const tail = reader.eatQuote();
  const to = source.shown.indexOf(tail, from + head.length);
  assert(to >= 0, `${tail} stands in ${source.label()}`);
  return finish(said(source, from, { to: to + tail.length }));
}

/** A text that is shown as it was given may say anything: what looks like a mark in it is none. */
function said({ shown, original }: Known, from: number, end: Parameters<typeof unfold>[2]): string {
  if (shown !== original) return unfold(shown, from, end);
  return "to" in end ? shown.slice(from, end.to) : shown.slice(from).split("\n", end.lines).join("\n");
}

function createReader(text: string, start: number) {
  let at = start;
  const eat = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  return {
    at: () => at,
    eat,
    eatLabel(known: readonly Known[]): Known {
      const [source] = known
        .filter(({ label }) => text.startsWith(label(), at))
        .sort((a, b) => b.label().length - a.label().length);
      assert(source !== undefined, `somebody is called ${text.slice(at, at + 60)}`);
      at += source.label().length;
      return source;
    },
    eatQuote(): string {
      const found = eat(/`([^`\n]*)`/y) ?? eat(/"(?:[^"\\\n]|\\.)*"/y);
      assert(found !== null, `a quote stands at ${at} of ${text}`);
      return found[1] ?? JSON.parse(found[0]);
    },
  };
}

const NUMBERED = /^ *([1-9]\d*)(\t|→|: | \| )(.*)$/s;

/** The content of the lines with these numbers: the first that have them without a gap. */
function numberedLines(text: string, first: number, last: number): string {
  const lines = text.split("\n").map((line) => NUMBERED.exec(line));
  const start = lines.findIndex((_, at) => {
    for (let number = first; number <= last; number++)
      if (Number(lines[at + number - first]?.[1]) !== number) return false;
    return true;
  });
  assert(start >= 0, `lines ${first} to ${last} stand in ${text}`);
  return lines
    .slice(start, start + last - first + 1)
    .map((line) => line?.[3] ?? "")
    .join("\n");
}
