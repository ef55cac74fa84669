import { CLASS_OF } from "./character-class.ts";
import { UNITS_PER_TOKEN } from "./token-cost.ts";
import { hashOn, isKnown } from "./token-filter.ts";
import table from "./token-table.json" with { type: "json" };

const DIGITS_PER_TOKEN = 3;

const [FOREIGN_UNITS = 0, RARE_UNITS = 0] = table.costs.foreign;

export function digitUnits(digits: number): number {
  return Math.ceil(digits / DIGITS_PER_TOKEN) * UNITS_PER_TOKEN;
}

/**
 * A run of letters of a non-Latin script, which often has no spaces: a token grows while it is still the beginning of
 * a known one. `opened` is the hash of the single punctuation mark or blank before the run, which may belong to its
 * first token, or 0. More letters never cost less.
 */
export function foreignUnits(text: string, start: number, end: number, opened: number): number {
  let units = 0;
  let hash = opened;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const longer = hashOn(hash, code);
    if (hash !== 0 && isKnown(longer)) {
      hash = longer;
      continue;
    }
    hash = hashOn(0, code);
    units += isKnown(hash) ? FOREIGN_UNITS : RARE_UNITS;
  }
  return units;
}

export function endOfRun(text: string, start: number, kind: number): number {
  let end = start + 1;
  while (end < text.length && CLASS_OF[text.charCodeAt(end)] === kind) end++;
  return end;
}
