import type { ToolCall } from "../message.ts";

/**
 * What a tool's results are, by the words of its name and by its arguments. "file": what may be a file, perhaps with
 * line numbers that the tool added, and all of a tool whose name says nothing; "listing": a file without such numbers;
 * "unknown": a result without a call; "shell": what a program said; "search": what was found in files, one place per line; "data": a service's answer;
 * "terminal": terminal output that a user pasted.
 */
export type ToolKind = "file" | "listing" | "unknown" | "shell" | "search" | "data" | "terminal";

/** A tool whose name says one of these shows, or stores, what may be edited by exact match. */
const FILE = wordsOf(
  "read view open edit editor write patch replace insert cat code codebase definition definitions symbol download raw",
);
/** The same, and nothing that is run. */
const DOCUMENT = wordsOf(
  "file files notebook document documents content contents blob page pages source diff selection snippet snippets cell cells gist text buffer resource artifact artifacts attachment attachments template templates config manifest schema yaml yml toml xml html css markdown note notes doc script scripts",
);
const SHELL = wordsOf(
  "bash sh zsh shell exec execute command commands cmd run terminal console powershell process stdin logs python ipython interpreter repl eval computer pytest docker kubectl make",
);
const SEARCH = wordsOf("grep rg ripgrep glob ls tree");
const LISTS = wordsOf("list find search");
/** Databases, whatever the verb: `run_query` is no shell. */
const DATABASE = wordsOf("sql query queries graphql db database");
const DATA = wordsOf(
  "get search list find lookup look calculate book cancel update check track send show count select describe retrieve recommend suggest transfer compute convert validate verify schedule reserve order return exchange refund pay modify change set add remove delete create submit assign ask api rest request http user users account accounts customer customers product products flight flights weather stock price prices calendar event events issue issues task aws",
);

/** Arguments that name a file, whatever the tool. */
const NAMES_FILE =
  /"file(?:s|_?(?:path|name)s?)?"\s{0,9}:|"\w{0,32}paths?"\s{0,9}:\s{0,9}\[?\s{0,9}"[^"]{1,400}\.\w{1,12}(?:[?#][^"]{0,200})?"|"[^"]{0,400}\.(?:jsonc?|ipynb|lock|\w{1,16}rc)"/i;
/** Rows have numbers of their own. */
const NAMES_TABLE = /\.(?:csv|ods|parquet|psv|tab|tsv|xls[bmx]?)(?:[?#][^"]{0,200})?"/i;

/** Where a command may start: not after a pipe, since that only passes on what another command says. */
const START = String.raw`(?:^|["'\x60;&({\n]|\\[nt]|\|\||\b(?:do|then|else|exec|sudo|xargs|time|env|command|find)\s)`;
/** Programs that print files, or lines of them. */
const SHOWS = new RegExp(
  [
    String.raw`${START}[^\S\n]{0,40}[!%]?(?:[\w./-]{0,80}\/)?(?:[bxz]?z?cat|batcat|bat|g?head|g?tail|tac|g?sed|awk|less|more|nl|type|gc|[Gg]et-[Cc]ontent)(?=[\s<]|\\)`,
    String.raw`\bgit\s(?:[^|;&\n]{0,80}\s)?(?:show|blame|annotate|cat-file|diff|log\s[^|;&\n]{0,80}-\w*p)\b|\bdiff\s`,
    String.raw`\bopen\(|\bread(?:_text|_bytes|File|FileSync|lines?)\(|\bFile\.read|\bgetsource|\$\(<|-exec\s`,
  ].join("|"),
);
/** Programs that number what they print. */
const NUMBERS = /\bcat\s(?:-\w+\s)*-\w*n|\bnl\b|\bbat(?:cat)?\b|\bless\s-\w*N/;
/** Programs that search files; after a pipe, they search what another command says. */
const SEARCHES = new RegExp(
  String.raw`${START}[^\S\n]{0,40}(?:[\w./-]{0,80}\/)?(?:git\s[^|;&\n]{0,80})?(?:[efz]?grep|rg|ag|ack|findstr|[Ss]elect-[Ss]tring)\b`,
);
/** In longer calls most of the text is input for a command. */
const MOST_READ = 20_000;

/** Cached by name: agents call the same few tools again and again. Bounded, since names come from callers. */
const MOST_REMEMBERED = 1_000;
const LONGEST_REMEMBERED = 128;
const remembered = new Map<string, ToolKind>();

export function resultKindOf({ name, arguments: input }: ToolCall): ToolKind {
  const kind = namedKindOf(name);
  if (kind === "shell") return shellKindOf(input);
  if (kind !== "file" && !(kind === "data" && NAMES_FILE.test(input))) return kind;
  return NAMES_TABLE.test(input) ? "listing" : "file";
}

/** If in doubt, it shows a file. */
function shellKindOf(input: string): ToolKind {
  if (input.length > MOST_READ) return "listing";
  if (SHOWS.test(input)) return NUMBERS.test(input) ? "file" : "listing";
  return SEARCHES.test(input) ? "search" : "shell";
}

export function namedKindOf(name: string): ToolKind {
  if (name.length > LONGEST_REMEMBERED) return "file";
  const known = remembered.get(name);
  if (known !== undefined) return known;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const kind = classify(name);
  remembered.set(name, kind);
  return kind;
}

/** Without the server name before `__`, which may say where the tool runs. */
function classify(name: string): ToolKind {
  const words = name
    .slice(name.lastIndexOf("__") + 1)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const has = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
  const isDocument = has(DOCUMENT);
  if (has(SEARCH) || (has(LISTS) && words.includes("files"))) return "search";
  if (has(DATABASE) && !isDocument) return "data";
  if (has(SHELL) && !isDocument) return "shell";
  return has(DATA) && !isDocument && !has(FILE) ? "data" : "file";
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
