import { LineCounter, parseDocument, type YAMLParseError } from "yaml";

export type YamlReading =
  | { readonly ok: true; readonly value: unknown }
  /** Sentences without a subject, with the line each is about and nothing of what stands there but a key's name. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** One mistake often makes a dozen: those after the first few tell nobody anything. */
const MOST_PROBLEMS = 3;
const PLAIN_KEY = /^[A-Za-z0-9_.-]{1,60}/;

/**
 * What an operator wrote. A key that stands twice in a mapping is refused: whoever reads the file believes one of
 * them, and it need not be the one that counts.
 */
export function parseYaml(text: string): YamlReading {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false });
    if (document.errors.length === 0) return { ok: true, value: document.toJS() };
    const problems = new Set(document.errors.map((error) => problemOf(error, text, lines)));
    return { ok: false, problems: [...problems].slice(0, MOST_PROBLEMS) };
  } catch {
    return { ok: false, problems: ["has an alias without its anchor, or is nested too deep or too large"] };
  }
}

function problemOf({ code, pos: [at] }: YAMLParseError, text: string, lines: LineCounter): string {
  const { line } = lines.linePos(at);
  switch (code) {
    case "DUPLICATE_KEY": {
      const key = PLAIN_KEY.exec(text.slice(at, at + 60))?.[0] ?? "a key";
      return `line ${line} says ${key} a second time in the same place`;
    }
    case "MULTIPLE_DOCS":
      return `line ${line} begins a second document`;
    case "TAB_AS_INDENT":
      return `line ${line} is indented with a tab, which YAML does not take`;
    case "MISSING_CHAR":
      return `is not valid YAML, near line ${line}: a quote, a bracket, a comma or a colon is missing`;
    default:
      return `is not valid YAML, near line ${line}`;
  }
}
