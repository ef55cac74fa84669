import { type JsonTape, scanJson } from "./json-tape.ts";

/** A value of JSON that a text ends with, and what stands before it. */
export type FoundJson = { readonly lead: string; readonly tape: JsonTape };

/** A line that says what follows, and a blank one. With more, some may be numbered, and the text is no list of results. */
const MOST_LEAD_LINES = 2;
const MOST_LEAD = 400;

/** All of a text, or all behind a line or two. Bound: as many beginnings are tried. */
export function findJson(text: string): FoundJson | null {
  const tape = scanJson(text);
  if (tape !== null) return { lead: "", tape };
  let from = 0;
  for (let line = 0; line < MOST_LEAD_LINES; line++) {
    from = text.indexOf("\n", from) + 1;
    if (from === 0 || from > MOST_LEAD) return null;
    const code = text.charCodeAt(from);
    if (code !== 91 && code !== 123) continue;
    const lead = text.slice(0, from);
    // What stands in a fence in some language stays as it is.
    const found = lead.includes("```") || lead.includes("~~~") ? null : scanJson(text.slice(from));
    if (found !== null) return { lead, tape: found };
  }
  return null;
}
