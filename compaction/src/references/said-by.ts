import { ESCAPED, FENCED, NO_NUMBER, type Page } from "../text/pieces.ts";

/** The content of consecutive pieces, without line numbers and their padding. */
export function saidBy({ text, pieces }: Page, first: number, count: number): string {
  const last = first + count - 1;
  const number = pieces.number[first];
  if (number === NO_NUMBER || number === ESCAPED || number === FENCED)
    return text.slice(pieces.start[first], pieces.end[last]);
  const lines: string[] = [];
  for (let at = first; at <= last; at++) lines.push(text.slice(pieces.body[at], pieces.end[at]));
  return lines.join("\n");
}
