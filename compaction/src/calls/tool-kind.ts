import type { ToolCall } from "../message.ts";
import { namesFile, namesFileAddress } from "./names-file.ts";
import { numbersLines } from "./numbers-lines.ts";
import { searchesFiles } from "./searches-files.ts";
import { showsFile } from "./shows-file.ts";
import { wordsOf } from "./words-of.ts";

/**
 * The kind of a tool's results, by the words of its name. Only "data" and "search" results lose the white space of
 * their JSON. What a shell or a file shows keeps it, because agents edit files by exact match; an unknown tool counts
 * as a file reader, and a tool that reads tables as unknown.
 * "listing": a file as a shell shows it; "numbered": the same, possibly with line numbers; "hits": what a shell
 * search found in files; "matches": what a search found in one named file; "note": a file, or data if it is JSON;
 * "terminal": terminal output that a user pasted.
 */
export type ToolKind =
  | "shell"
  | "listing"
  | "numbered"
  | "hits"
  | "file"
  | "note"
  | "search"
  | "matches"
  | "data"
  | "terminal"
  | "unknown";

/** "program" counts as "shell", unless the call names a file. */
type NamedKind = ToolKind | "program";

const FILE = wordsOf(
  "read file files view cat open edit editor write patch replace insert notebook document documents content contents blob page pages source diff selection snippet snippets cell cells gist gists git raw text buffer clipboard resource artifact artifacts attachment attachments asset assets download template templates config configuration manifest lockfile dotfile schema spec json yaml yml toml xml html css markdown note notes doc",
);
/** Those of them that services also store, as records. */
const NOTES = wordsOf("note notes doc");
/** With these verbs, a tool returns the names of files, or runs them. */
const LISTS = wordsOf("list find");
const RUNS = wordsOf("run execute exec");
const RUNNABLE = wordsOf("file notebook cell cells insert");
/** Streams of a running program: reading or writing these opens no file. */
const RUNNING = wordsOf("stdin process terminal logs pane bash shell powershell console");
const READS = wordsOf("read view open write");
/** Records of services. Not a pull request, which is read with its changes. */
const RECORDS = wordsOf("graph nodes issue issues");
/** Programs whose output is a report; and those whose names have other meanings, recognized by their action. */
const PROGRAMS = wordsOf("log ansible cargo docker gradle helm kubectl mvn pytest terraform tmux xcodebuild");
const TOOLCHAINS = wordsOf("bun dart dotnet flutter go mix pnpm sbt swift yarn");
const DONE = wordsOf("build lint test tests");
const SHELL = wordsOf(
  "bash sh zsh shell exec execute command commands cmd run terminal console powershell process python ipython interpreter repl eval computer execution executor runner",
);
/** Code that is not run is shown, and edited like a file. */
const CODE = wordsOf("code codebase script scripts definition definitions");
/** A symbol of code, or of a security. */
const SYMBOL = wordsOf("symbol symbols");
const TRADED = wordsOf(
  "stock stocks share shares price prices quote quotes market markets ticker tickers company companies currency exchange trade trades crypto coin coins dividend dividends earnings",
);
/** A part of code, if the name asks for nothing else: services also have functions, methods, classes and lines. */
const PART = wordsOf("method function class implementation lines");
const SHOWS_PART = wordsOf("get search find show");
const BESIDE_PART = wordsOf("a the in of by at for and name names body signature");
const SERVICE = wordsOf(
  "aws azure bus cloud cloudflare delivery edge email firebase gcp http lambda netlify payment payments school shipping storage supabase vercel",
);
const PARTS = wordsOf("methods functions classes implementations");
const SEARCH = wordsOf("grep rg ripgrep glob ls tree");
/** Tables, whose rows may have numbers of their own. */
const TABLE = wordsOf(
  "csv excel ocr row rows sheet sheets spreadsheet spreadsheets table tables tsv worksheet xlsx",
);
const TABLE_FILE = /\.(?:csv|ods|parquet|psv|tab|tsv|xls[bmx]?)(?:[?#][^"]{0,200})?"/i;
/** Databases, whatever the verb: `run_query` is no shell. */
const DATABASE = wordsOf("sql query queries graphql db database");
const DATA = wordsOf(
  "get search list find fetch lookup look calculate book cancel update check track send show count select describe retrieve recommend suggest transfer compute convert validate verify schedule reserve order return exchange refund pay modify change set add remove delete create submit assign api rest request http user users account accounts customer customers product products flight flights weather stock price prices calendar event events npm aws",
);

/** Tools that return the content of a URL unchanged; others describe it. */
const FETCHES =
  /^(?:mcp__.{1,80}?__)?(?:web[_-]?)?(?:fetch|get|retrieve)(?:[_-]?(?:from[_-]?)?(?:url|uri|link|address|web))?$/i;

/** Arguments that ask a search for colours. */
const COLOURED =
  /"(?:use_?)?colou?rs?"\s*:\s*(?:true|"(?:always|ansi)")|--colou?r(?:=|["',\s]{1,9})(?:always|ansi)\b/i;

/** Cached by name: agents call the same few tools again and again. Bounded, since names come from callers. */
const MOST_REMEMBERED = 1000;
/** Longer names are not cached: a thousand names of megabytes would be kept for good. */
const LONGEST_REMEMBERED = 128;
const remembered = new Map<string, NamedKind>();

/** A general-purpose tool reads a file if its arguments name one, and so does a shell. */
export function resultKindOf({ name, arguments: input }: ToolCall): ToolKind {
  const named = namedKindOf(name);
  const mayReadFile = named === "data" || named === "note" || named === "program";
  const readsFile = mayReadFile && (namesFile(input) || (named === "data" && fetchesFrom(name, input)));
  const kind = toolKindOf(name);
  if (readsFile || kind === "file") return TABLE_FILE.test(input) ? "unknown" : "file";
  if (kind === "search") {
    // Then its output is meant for a terminal.
    if (COLOURED.test(input)) return "shell";
    return namesFile(input) ? "matches" : "search";
  }
  if (kind !== "shell") return kind;
  if (showsFile(input)) return numbersLines(input) ? "numbered" : "listing";
  return searchesFiles(input) ? "hits" : "shell";
}

function fetchesFrom(name: string, input: string): boolean {
  return FETCHES.test(name) && namesFileAddress(input);
}

export function toolKindOf(name: string): ToolKind {
  const kind = namedKindOf(name);
  return kind === "program" ? "shell" : kind;
}

function namedKindOf(name: string): NamedKind {
  if (name.length > LONGEST_REMEMBERED) return classify(name);
  const known = remembered.get(name);
  if (known !== undefined) return known;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const kind = classify(name);
  remembered.set(name, kind);
  return kind;
}

function classify(name: string): NamedKind {
  const words = splitWords(name);
  const has = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
  // Without the server name before `__`, which may say what the server works on or runs in.
  const own = splitWords(name.slice(name.lastIndexOf("__") + 1));
  const asks = (set: ReadonlySet<string>) => own.some((word) => set.has(word));
  const ofFiles = words.filter((word) => FILE.has(word));
  if (has(SEARCH) || isListOfFiles(words, ofFiles)) return "search";
  const isOnlyRead = ofFiles.every((word) => READS.has(word));
  const isOfCode = has(CODE) || has(SYMBOL);
  if (asks(RECORDS) && isOnlyRead && ofFiles.length > 0 && !isOfCode) return "data";
  const isRunning = asks(RUNNING) && isOnlyRead && !isOfCode;
  const isRun = (has(RUNS) && ofFiles.every((word) => RUNNABLE.has(word))) || isRunning;
  const isNote = ofFiles.every((word) => NOTES.has(word));
  if (ofFiles.length > 0 && !isRun) {
    if (has(TABLE)) return "unknown";
    return isNote ? "note" : "file";
  }
  // Notion's fetch tool returns pages, which are edited by exact match.
  if (words.includes("notion") && words.includes("fetch")) return "note";
  if (has(DATABASE)) return "data";
  if (has(SHELL)) return isRunning && ofFiles.length > 0 ? "program" : "shell";
  if (has(CODE) || (has(SYMBOL) && !has(TRADED)) || (isPartOfCode(words) && !has(SERVICE))) return "file";
  if (has(DATA)) return "data";
  if (isBuild(own)) return "shell";
  return asks(RUNNING) || asks(PROGRAMS) ? "program" : "unknown";
}

/** `go_test`, but not `go_to_test`. */
function isBuild(words: readonly string[]): boolean {
  const [program = "", done = ""] = words.slice(-2);
  return DONE.has(done) && (TOOLCHAINS.has(program) || PROGRAMS.has(program));
}

/** Judged by the words after the last verb; a server name may precede it. */
function isPartOfCode(words: readonly string[]): boolean {
  const asked = words.slice(words.findLastIndex((word) => SHOWS_PART.has(word)) + 1);
  const isAsked = asked.length < words.length && asked.some((word) => PART.has(word));
  return isAsked && asked.every((word) => PART.has(word) || BESIDE_PART.has(word));
}

/** True for tools that return file names, not contents. */
function isListOfFiles(words: readonly string[], ofFiles: readonly string[]): boolean {
  if (words.slice(-2).join(" ") === "file search") return ofFiles.length === 1;
  const isOfCode = words.some((word) => [CODE, SYMBOL, PART, PARTS].some((set) => set.has(word)));
  return words.some((word) => LISTS.has(word)) && ofFiles.join() === "files" && !isOfCode;
}

/** `getUserDetails`, `get_user_details` and `get-user-details` have the same words. */
function splitWords(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
