import { namesFile } from "./calls/names-file.ts";
import type { Answer } from "./calls/open-calls.ts";
import type { ToolKind } from "./calls/tool-kind.ts";

/** Line numbers start at the top of a file, after a line or two. */
const MOST_READ = 2_000;
const NUMBER = /^ *(?:[1-9]\d{0,6}[→\t|│]|L?[1-9]\d{0,6}:|0*[1-9]\d{0,6} ?[|│→] )/;
/** In a numbered text, at least one line in this many has a number. */
const LINES_PER_NUMBER = 3;
/** Fewer lines prove nothing. */
const LEAST_LINES = 5;
/** A tool that usually numbers lines may still show a notebook or a directory without numbers. */
const LEAST_RAW = 2;
const RAW_PER_NUMBERED = 4;

/** Counts the results of a tool so far, for files named in its calls. */
type Shown = { raw: number; numbered: number };

/** Takes the results of a conversation in order, and returns the kind of each. */
type RawReaders = (answer: Answer, text: string) => ToolKind;

/**
 * Detects tools that show files without adding line numbers: numbers before the lines are then the file's own, and
 * the result counts as a listing.
 */
export function createRawReaders(): RawReaders {
  const tools = new Map<string, Shown>();
  return ({ call, kind }, text) => {
    if (kind !== "file" || call === undefined || !namesFile(call.arguments)) return kind;
    const shown = tools.get(call.name) ?? { raw: 0, numbered: 0 };
    const isRaw = shown.raw >= LEAST_RAW && shown.numbered * RAW_PER_NUMBERED <= shown.raw;
    const lines = text.slice(0, MOST_READ).split("\n");
    if (lines.length >= LEAST_LINES) {
      if (hasNumbers(lines)) shown.numbered++;
      else shown.raw++;
      tools.set(call.name, shown);
    }
    return isRaw ? "listing" : kind;
  };
}

function hasNumbers(lines: readonly string[]): boolean {
  return lines.filter((line) => NUMBER.test(line)).length * LINES_PER_NUMBER >= lines.length;
}
