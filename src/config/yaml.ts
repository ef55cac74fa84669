import { createRequire } from "node:module";
import type { LineCounter, YAMLParseError } from "yaml";

type YamlReading =
  | { readonly ok: true; readonly value: unknown }
  /** Sentences without a subject, with the line each is about and nothing of what stands there but a key's name. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** One mistake often makes a dozen: those after the first few tell nobody anything. */
const MOST_PROBLEMS = 3;
const PLAIN_KEY = /^[A-Za-z0-9_.-]{1,60}/;

/**
 * What an operator wrote. A key that stands twice in a mapping is refused: whoever reads the file believes one of
 * them, and it need not be the one that counts. The runtime's reader takes the last one and says of no mistake where
 * it is, but it is there anyway: the other one, of several megabytes, is asked only where there may be something to say.
 */
export function parseYaml(text: string): YamlReading {
  try {
    const value: unknown = Bun.YAML.parse(text);
    if (!mayRepeatKeys(text, value)) return { ok: true, value };
  } catch {
    // Said better below.
  }
  return readClosely(text);
}

/** Where a line has quotes the sign may stand within them, and is left: too many keys are counted rather than too few. */
const COMMENT = /^([^"'#\n]*[ \t]|)#[^"'\n]*$/gm;
/** What may be a key before its colon: in a text of many colons more than there are. */
const KEY_AND_COLON = /(?:"[^"\n]*"|'[^'\n]*')\s*:|[^\s:{},][ \t]*:(?=\s|$)/gm;
/** What anchors stand for is said once and counts often; a second document is no key, but has no place either. */
const ANCHOR_OR_DOCUMENT = /[&*]\S|^---/m;

/** True where it is not plain that every key of the text is one of the value's: what is lost was said twice. */
function mayRepeatKeys(text: string, value: unknown): boolean {
  if (ANCHOR_OR_DOCUMENT.test(text)) return true;
  const said = text.replace(COMMENT, "$1").match(KEY_AND_COLON)?.length ?? 0;
  return said > keysOf(value);
}

/** Of a value without anchors, so without loops; as deep as a text can be that was just read. */
function keysOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value).reduce((sum: number, each) => sum + keysOf(each), 0);
  return Array.isArray(value) ? inner : inner + Object.keys(value).length;
}

const requireModule = createRequire(import.meta.url);

function readClosely(text: string): YamlReading {
  const yaml: typeof import("yaml") = requireModule("yaml");
  const lines = new yaml.LineCounter();
  try {
    const document = yaml.parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false });
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
      return `line ${line} repeats ${key}`;
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
