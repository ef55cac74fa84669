import type { ToolKind } from "./calls/tool-kind.ts";
import { LEAST_GAIN_TOKENS } from "./compaction.ts";
import { type Form, keepForm } from "./form.ts";
import { scanJson } from "./json/json-tape.ts";
import { minifyJson } from "./steps/json-whitespace.ts";
import { endOfQuoted } from "./text/cut.ts";
import { SIGN } from "./text/marks.ts";
import type { ToolText } from "./tool-form.ts";

/** A command's output inside a JSON object with little else in it. */
type Wrapped = {
  readonly key: string;
  readonly text: string;
  /** Writes the object with another text in it. */
  readonly wrap: (text: string) => string;
  /** The object's keys without its values. */
  readonly shape: string;
};

/**
 * Tools that run commands or search. For other tools an object is the answer itself, or a file, unless it is a
 * content part.
 */
const WRAPPING: readonly ToolKind[] = ["shell", "hits", "search", "matches"];
const TEXT = /"(output|stdout|stderr|text|content|result)"\s*:\s*(?="[^"])/;
/** Keys that hold a program's log; the value may also be a file name, or say that there is none. */
const LOG = /"(logs?|logs_content)"\s*:\s*(?="[^"])/;
/** A service returns no command status beside the log. */
const ANYTHING = /^/;
/** Keys that only a command runner adds; an object that a command itself prints has none of these. */
const AROUND =
  /"(?:exit_?code|return_?code|stdout|stderr|duration(?:_seconds|_ms)?|is_?error)"\s*:|"type"\s*:\s*"text"/i;
const SAID: Wrapping = { key: TEXT, around: AROUND };
const PART = /"type"\s*:\s*"text"/;
/** A list of content parts. */
const PART_START = /^\[\s*\{\s*"type"\s*:\s*"text"/;
const JSON_START = /^\s*[[{]/;
const MOST_AROUND = 1_000;
const VALUE = /:\s*(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)/g;

/** Takes the results of a conversation in order. */
type Unwrapper = (tool: ToolText, name: string) => Form;

/**
 * Compacts the output inside a wrapper object: `{"output":"…","metadata":{"exit_code":0}}`. The object stays, with a
 * shorter text in it. If a command shows a file, the object may be the file itself: it is then unwrapped only if all
 * earlier output of the tool was wrapped, some of it in an object with the same keys.
 */
export function createUnwrapper(formOf: (tool: ToolText) => Form): Unwrapper {
  /** By tool name; null if the tool has returned unwrapped output. */
  const shapes = new Map<string, Set<string> | null>();

  function unwrapResult({ text, kind }: ToolText, name: string): Wrapped | null {
    if (kind === "listing" || kind === "numbered") {
      const known = shapes.get(name) ?? null;
      const wrapped = known === null ? null : unwrapSaid(text);
      return wrapped !== null && known?.has(wrapped.shape) ? wrapped : null;
    }
    if (kind === "data") return minified(unwrapData(text));
    if (!WRAPPING.includes(kind)) return null;
    const wrapped = unwrapSaid(text);
    const known = shapes.get(name);
    if (wrapped === null) shapes.set(name, null);
    else if (known !== null) shapes.set(name, (known ?? new Set()).add(wrapped.shape));
    return wrapped;
  }

  return (tool, name) => {
    const wrapped = unwrapResult(tool, name);
    if (wrapped === null) return formOf(tool);
    const { key, text, wrap } = wrapped;
    const count = (inner: string) => tool.count(wrap(inner));
    const form = formOf({ ...tool, text, count, label: () => nameOfWrapped(tool.label(), key) });
    const shown = { ...form, text: wrap(form.text) };
    if (wrap(text) === tool.text) return shown;
    // The white space around the text is saved as well.
    const kept = keepForm(tool.text, tool.count);
    const isWorthIt = form.text !== text || form.tokens <= kept.tokens - LEAST_GAIN_TOKENS;
    if (!isWorthIt) return kept;
    return { ...shown, originalTokens: kept.tokens, actions: [...form.actions, "json_whitespace"] };
  };
}

function nameOfWrapped(result: string, key: string): string {
  return `${key} of ${result}`;
}

/** Prefers the output; takes a log only if there is no output. */
function unwrapSaid(text: string): Wrapped | null {
  return unwrap(text, SAID) ?? unwrapLog(text, AROUND);
}

/** A content part with JSON in it, or a log; any other object is the answer itself. */
function unwrapData(text: string): Wrapped | null {
  const part = PART.test(text.slice(0, MOST_AROUND)) ? unwrap(text, SAID) : null;
  return part !== null && JSON_START.test(part.text) ? part : unwrapLog(text, ANYTHING);
}

/** White space around a service's answer means nothing. */
function minified(wrapped: Wrapped | null): Wrapped | null {
  if (wrapped === null) return null;
  const tape = scanJson(wrapped.wrap(wrapped.text));
  return tape === null || tape.gaps.length === 0 ? wrapped : unwrapData(minifyJson(tape));
}

/** Only a log of several lines. */
function unwrapLog(text: string, around: RegExp): Wrapped | null {
  const wrapped = unwrap(text, { key: LOG, around });
  return wrapped?.text.includes("\n") ? wrapped : null;
}

/** The keys that may hold the text, and what must appear around it. */
type Wrapping = { readonly key: RegExp; readonly around: RegExp };

/** Null if the text could not be reproduced exactly. */
function unwrap(text: string, { key, around: sign }: Wrapping): Wrapped | null {
  if (text.charCodeAt(0) !== 123 && !PART_START.test(text)) return null;
  const found = key.exec(text.slice(0, MOST_AROUND));
  if (found === null) return null;
  const from = found.index + found[0].length;
  const to = endOfQuoted(text, from, text.length) + 1;
  if (text.length - to > MOST_AROUND) return null;
  const [before, behind] = [text.slice(0, from), text.slice(to)];
  const around = `${before}""${behind}`;
  if (!sign.test(around) || around.includes(SIGN) || scanJson(around) === null) return null;
  const said = parse(text.slice(from, to));
  const wrap = (other: string) => before + JSON.stringify(other) + behind;
  if (said === null || wrap(said) !== text) return null;
  return { key: found[1] ?? "", text: said, wrap, shape: around.replaceAll(VALUE, ":") };
}

function parse(quoted: string): string | null {
  try {
    return JSON.parse(quoted);
  } catch {
    return null;
  }
}
