import type { LineCounter, YAMLParseError } from "yaml";

type YamlReading =
  | { readonly ok: true; readonly value: unknown }
  /** Sentences without a subject, each with its line number. They quote nothing from the file but a key's name. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** One mistake often causes a dozen problems: those after the first few help nobody. */
const MOST_PROBLEMS = 3;
const UNEVEN = "it is indented unlike its neighbours";
const PLAIN_KEY = /^[A-Za-z0-9_.-]{1,60}/;

/**
 * Parses what an operator wrote. A key that occurs twice in a mapping is refused: a reader may believe the one that
 * does not count. The runtime's parser takes the last one and reports no line numbers, but costs nothing extra: the
 * other parser, of several megabytes, is loaded only if there may be something to report.
 */
export function parseYaml(text: string): YamlReading {
  try {
    const value: unknown = Bun.YAML.parse(text);
    if (!mayRepeatKeys(text, value)) return { ok: true, value };
  } catch {
    // The other parser reports it better.
  }
  return readClosely(text);
}

/** A `#` in a line with quotes may be inside them, so the line is kept: better to count too many keys than too few. */
const COMMENT = /^([^"'#\n]*[ \t]|)#[^"'\n]*$/gm;
/** Matches everything that may be a key with its colon; may count too many. */
const KEY_AND_COLON = /(?:"[^"\n]*"|'[^'\n]*')\s*:|[^\s:{},][ \t]*:(?=\s|$)/gm;
/** Anchors are written once but count several times; a second document adds no key, but is not allowed. */
const ANCHOR_OR_DOCUMENT = /[&*]\S|^---/m;

/** True unless every key in the text clearly is in the value: a missing one was written twice. */
function mayRepeatKeys(text: string, value: unknown): boolean {
  if (ANCHOR_OR_DOCUMENT.test(text)) return true;
  const said = text.replace(COMMENT, "$1").match(KEY_AND_COLON)?.length ?? 0;
  return said > keysOf(value);
}

/** The value has no anchors, so no cycles; its depth is limited to what the parser has just read. */
function keysOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value).reduce((sum: number, each) => sum + keysOf(each), 0);
  return Array.isArray(value) ? inner : inner + Object.keys(value).length;
}

function readClosely(text: string): YamlReading {
  const yaml: typeof import("yaml") = require("yaml");
  const lines = new yaml.LineCounter();
  try {
    const document = yaml.parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false });
    if (document.errors.length === 0) return { ok: true, value: document.toJS() };
    // Further errors in the same line follow from the first one.
    const firstOfLine = new Map<number, string>();
    for (const error of document.errors) {
      const { line } = lines.linePos(error.pos[0]);
      if (!firstOfLine.has(line)) firstOfLine.set(line, problemOf(error, text, lines));
    }
    return { ok: false, problems: [...firstOfLine.values()].slice(0, MOST_PROBLEMS) };
  } catch {
    return { ok: false, problems: ["has an alias without its anchor, or is nested too deep or too large"] };
  }
}

function problemOf({ code, message, pos: [at] }: YAMLParseError, text: string, lines: LineCounter): string {
  const { line } = lines.linePos(at);
  switch (code) {
    case "DUPLICATE_KEY": {
      const key = PLAIN_KEY.exec(text.slice(at, at + 60))?.[0] ?? "a key";
      return `line ${line} repeats ${key}`;
    }
    case "MULTIPLE_DOCS":
      return `line ${line} begins a second document`;
    case "TAB_AS_INDENT":
      return `line ${line} is indented with a tab, which YAML does not take`;
    default: {
      const cause = usualCause(code, message);
      return `is not valid YAML, near line ${line}${cause === null ? "" : `: ${cause}`}`;
    }
  }
}

/** The mistake that usually leads to an error of the parser, whose own words quote the file or name its rules. */
function usualCause(code: YAMLParseError["code"], message: string): string | null {
  switch (code) {
    case "BAD_INDENT":
      return message.startsWith("Flow")
        ? "a bracket or brace is not closed, or what it holds is indented too little"
        : UNEVEN;
    case "MISSING_CHAR":
      if (message.startsWith("Missing closing")) return "a quote is not closed";
      return message.startsWith("Sequence item") ? UNEVEN : "a comma, a colon or a dash is missing";
    case "BLOCK_AS_IMPLICIT_KEY":
      return "a value with a colon needs quotes, or the next line is indented too far";
    case "MULTILINE_IMPLICIT_KEY":
      return "a space after a colon is missing";
    case "BAD_SCALAR_START":
      return "a value that begins with @, ` or % needs quotes";
    case "BAD_DQ_ESCAPE":
      return "in double quotes, a backslash must be written twice";
    default:
      return null;
  }
}
