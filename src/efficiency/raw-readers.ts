import { namesFile } from "./calls/names-file.ts";
import type { Answer } from "./calls/open-calls.ts";
import type { ToolKind } from "./calls/tool-kind.ts";

/** Numbers begin where a file does, below a line or two. */
const MOST_READ = 2_000;
const NUMBER = /^ *[1-9]\d{0,6}[→\t|│]/;
/** Of a text with numbers, at least one line of so many has one. */
const LINES_PER_NUMBER = 3;
/** Fewer lines tell nothing. */
const LEAST_LINES = 5;
/** A tool that numbers lines may show a notebook, or what is in a folder, without. */
const LEAST_RAW = 2;
const RAW_PER_NUMBERED = 4;

/** What a tool has shown so far, of files that were named to it. */
type Shown = { raw: number; numbered: number };

/** Reads the results of a conversation, in their order, and answers what each of them is. */
type RawReaders = (answer: Answer, text: string) => ToolKind;

/** What a tool that shows files as they are reads is a listing of one: numbers before its lines are the file's own. */
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
