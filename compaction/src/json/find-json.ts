import { mayHaveFences } from "../fences/scan-fences.ts";
import { type JsonTape, scanJson } from "./json-tape.ts";

/** A JSON value at the end of a text, and the text before it. */
export type FoundJson = { readonly lead: string; readonly tape: JsonTape };

/**
 * A line that announces the value, and a blank one. If there are more, some may be numbered, and the text is no list
 * of results.
 */
const MOST_LEAD_LINES = 2;
/** Agents print the status of a command before its output. */
const OUTPUT = "\nOutput:\n";
const MOST_OUTPUT_LEAD_LINES = 6;
const MOST_LEAD = 400;
/** The headers that `curl -i` shows before a response, possibly after those of a proxy or a redirect. */
const HEADS = /^(?:HTTP\/\d(?:\.\d)? \d{3}[^\n]*\n(?:[\w-]{1,80}:[^\n]*\n){0,60}\r?\n){1,4}(?=[[{])/;
const MOST_HEADS = 8_000;

/** The whole text as JSON, or all of it after some introductory lines. Bound: only a few starts are tried. */
export function findJson(text: string): FoundJson | null {
  const tape = scanJson(text);
  if (tape !== null) return { lead: "", tape };
  for (const lead of leadsOf(text)) {
    const found = scanJson(text.slice(lead.length));
    if (found !== null) return { lead, tape: found };
  }
  return null;
}

/** The possible introductions of a text: the lines before one that starts like JSON. */
export function leadsOf(text: string): string[] {
  const head = text.startsWith("HTTP/") ? HEADS.exec(text.slice(0, MOST_HEADS)) : null;
  if (head !== null) return [head[0]];
  const leads: string[] = [];
  let from = 0;
  for (let line = 1; line <= MOST_OUTPUT_LEAD_LINES; line++) {
    from = text.indexOf("\n", from) + 1;
    if (from === 0 || from > MOST_LEAD) return leads;
    const code = text.charCodeAt(from);
    if (code !== 91 && code !== 123) continue;
    const lead = text.slice(0, from);
    // The content of a language fence stays as it is.
    if (!mayHaveFences(lead) && (line <= MOST_LEAD_LINES || lead.endsWith(OUTPUT))) leads.push(lead);
  }
  return leads;
}
