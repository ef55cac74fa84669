import { misused } from "./cli-error.ts";
import type { ParsedFlags } from "./flag.ts";

export function parseChoice<const Choice extends string>(
  flag: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((known) => known === text);
  if (choice !== undefined) return choice;
  throw misused(`${flag} takes one of ${choices.join(", ")}, not ${quoted(text)}.`);
}

export function parseWhole(flag: string, text: string, range: { min: number; max: number }): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.min && value <= range.max) return value;
  throw misused(`${flag} takes a whole number from ${range.min} to ${range.max}, not ${quoted(text)}.`);
}

export function refuseTwoEnds(flags: ParsedFlags): void {
  if (flags.has("expires-in") && flags.has("expires-at"))
    throw misused("--expires-in and --expires-at mean the same: give only one of them.");
}

export function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
