import { mayHaveFences } from "../fences/scan-fences.ts";
import { type JsonTape, scanJson } from "./json-tape.ts";

/** A value of JSON that a text ends with, and what stands before it. */
export type FoundJson = { readonly lead: string; readonly tape: JsonTape };

/** A line that says what follows, and a blank one. With more, some may be numbered, and the text is no list of results. */
const MOST_LEAD_LINES = 2;
/** Agents say how a command went before what it said. */
const OUTPUT = "\nOutput:\n";
const MOST_OUTPUT_LEAD_LINES = 6;
const MOST_LEAD = 400;
/** What `curl -i` shows before an answer, and before that perhaps what a proxy said, or who sent it elsewhere. */
const HEADS = /^(?:HTTP\/\d(?:\.\d)? \d{3}[^\n]*\n(?:[\w-]{1,80}:[^\n]*\n){0,60}\r?\n){1,4}(?=[[{])/;
const MOST_HEADS = 8_000;

/** All of a text, or all behind the lines that say what it is. Bound: a few beginnings are tried. */
export function findJson(text: string): FoundJson | null {
  const tape = scanJson(text);
  if (tape !== null) return { lead: "", tape };
  for (const lead of leadsOf(text)) {
    const found = scanJson(text.slice(lead.length));
    if (found !== null) return { lead, tape: found };
  }
  return null;
}

/** The lines that a text may begin with, before one that begins as JSON does. */
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
    // What stands in a fence in some language stays as it is.
    if (!mayHaveFences(lead) && (line <= MOST_LEAD_LINES || lead.endsWith(OUTPUT))) leads.push(lead);
  }
  return leads;
}
