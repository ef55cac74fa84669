import { isLog } from "./names-file.ts";
import { wordsOf } from "./words-of.ts";

/** Longer programs consist mostly of text that they write. */
const MOST_READ = 20_000;
/** JSON escapes of quotes and line breaks; a backslash of the program is written as two. */
const ESCAPES = /\\(["\\nrt])/g;
/** A file that is opened under a name, and the arguments of `open`. */
const OPENED =
  /\bopen\(((?:(?!\bopen\()[\s\S]){0,200}?)\)\s{1,9}as\s{1,9}(\w{1,32})|\b(\w{1,32}) ?= ?(?:io\.|codecs\.)?open\(([^)\n]{0,200})/g;
const PATH = /^\s*[a-z]{0,2}\\?["']([^"'\\\n]{1,200})/i;
/** A variable for what is read, or for each of its lines. */
const NAMED =
  /(?:^|[\n;:])[^\S\n]{0,40}(?:(\w{1,32})(?:: ?\w{1,32})? ?= ?|for\s+(?:\w{1,32}, ?)?(\w{1,32})\s+in\s+)([^\n]{1,200})/g;
/** A list of unchanged lines: iterates over its source, like a loop. */
const LISTED = /^(?:\[(\w{1,32})(?:\.r?strip\([^()\n]{0,20}\))? for \1 in |list\((?=\w{1,32}\)))/;
/** Wrappers that leave the content as it is. */
const AROUND = /^(?:enumerate\(|list\(|reversed\(|\\?(["'])(?:\\{0,2}n|\n)?\\?\1\.join\()/;
/** A variable and its method. */
const ASKED = /^\w{1,32}(?:\.\w{0,32})?/;
/** No word boundary before it: in arguments the `n` of an escaped line break may precede it. */
const MAY_PRINT = /print\(|stdout\.write\(/;
/** A lookahead, since another one may follow in the same line. */
const PRINTED = /\b(?:print|sys\.stdout\.write)\((?=([^\n]{1,200}))/g;
const QUOTED = /([a-z]{0,2})(["'])(.{0,200}?)\\?\2/gi;
const FORMATTED = /\{([^{}]{1,200})\}/g;
/** A membership test, unless it is the `in` of a loop. */
const ASKED_ABOUT = /(?<!\bfor \w{1,32}(?:, ?\w{1,32})? )\b(?:not )?in \w{1,32}/g;
const TOKENS = /[\w.]+\(?|[()]/g;
/** Calls that keep their arguments as they are; others make something else of them. */
const LEAVES = /^\($|(?:^|\.)(?:enumerate|format|join|list|repr|reversed|sorted|str|zip)\($/;
const READS = wordsOf("read readline readlines");
/** String methods that keep most of the text. */
const KEEPS = wordsOf("strip rstrip lstrip splitlines split decode expandtabs replace");
const MOST_NAMES = 16;
/** A line may be scanned again from each of them. */
const MOST_PRINTS = 100;

/** The variables of open files, and of what was read from them. */
type Names = { readonly files: ReadonlySet<string>; readonly read: Set<string> };

/**
 * Whether a (Python) program prints what it reads from a file that it opens under a name: all of it, a part or its
 * lines, also through other variables. What it says about them does not count. Bounds: length of the program, number
 * of names and prints.
 */
export function printsFile(input: string): boolean {
  if (input.length > MOST_READ || !input.includes("open(") || !MAY_PRINT.test(input)) return false;
  const program = input.replaceAll(ESCAPES, (_, sign) => ("nrt".includes(sign) ? "\n" : sign));
  const files = new Set<string>();
  for (const [, by, as, name, from] of program.matchAll(OPENED)) {
    const path = PATH.exec(by ?? from ?? "")?.[1] ?? "";
    if (!isLog(path)) files.add(as ?? name ?? "");
  }
  if (files.size === 0 || files.size > MOST_NAMES) return false;
  const names: Names = { files, read: new Set() };
  for (const [, name, each, from = ""] of program.matchAll(NAMED)) {
    if (names.read.size < MOST_NAMES && isRead(names, from, each !== undefined))
      names.read.add(name ?? each ?? "");
  }
  const printed = program.matchAll(PRINTED).take(MOST_PRINTS);
  return printed.some(([, said = ""]) => isShown(names, said));
}

function isRead(names: Names, from: string, isEach: boolean): boolean {
  const over = from.replace(LISTED, "");
  const [asked = ""] = ASKED.exec(over.replace(AROUND, "")) ?? [];
  return isOf(names, asked) || ((isEach || over !== from) && names.files.has(asked));
}

/**
 * Whether an expression reads a file, or is something read before, also through a method that keeps most of it:
 * `f.read`, `line.rstrip`.
 */
function isOf({ files, read }: Names, asked: string): boolean {
  const [name = "", method, ...others] = asked.split(".");
  if (method === undefined) return read.has(name);
  return (
    others.length === 0 && ((READS.has(method) && files.has(name)) || (KEEPS.has(method) && read.has(name)))
  );
}

/**
 * Whether the printed expression contains file content itself, not only the result of another call on it, or a
 * literal of the program.
 */
function isShown(names: Names, said: string): boolean {
  const own = said.replaceAll(QUOTED, formattedIn).replaceAll(ASKED_ABOUT, " ");
  let depth = 0;
  /** Depth of the outermost call that makes something else of its arguments; 0 if there is none. */
  let made = 0;
  for (const [token] of own.matchAll(TOKENS)) {
    if (token === ")") {
      if (depth === 0) return false;
      if (depth === made) made = 0;
      depth--;
      continue;
    }
    const isCall = token.endsWith("(");
    if (made === 0 && isOf(names, isCall ? token.slice(0, -1) : token)) return true;
    if (!isCall) continue;
    depth++;
    if (made === 0 && !LEAVES.test(token)) made = depth;
  }
  return false;
}

/** The expressions inside an f-string; of any other literal, nothing. */
function formattedIn(_: string, letters: string, _quote: string, text: string): string {
  if (!/f/i.test(letters)) return " ";
  return [...text.matchAll(FORMATTED)].map(([, put]) => put).join(", ");
}
