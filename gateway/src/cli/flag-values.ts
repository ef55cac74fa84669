import {
  type CreditDelta,
  type Credits,
  creditDelta,
  credits,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
} from "../kit/index.ts";
import { misused } from "./cli-error.ts";
import type { ParsedFlags } from "./flag.ts";

/** Parsers of flag values, each with an error that says what it accepts. */

const MAX_AMOUNT = 1_000_000_000_000;
const UNITS_MS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};
const DURATION = /^(\d{1,9})([smhdw])$/;
/** Ten years: longer is a typo. */
const MAX_DURATION_MS = 3_660 * DAY_MS;
/** A date alone is midnight UTC; a time without an offset would be a guess. */
const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

export function parseAmount(flag: string, text: string): Credits {
  const value = /^\+?\d{1,13}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= MAX_AMOUNT) return credits(value);
  throw misused(`${flag} takes a whole number from 1 to ${MAX_AMOUNT}, not ${quoted(text)}.`);
}

export function parseChange(flag: string, text: string): CreditDelta {
  const value = /^[+-]?\d{1,13}$/.test(text) ? Number(text) : 0;
  if (value !== 0 && Math.abs(value) <= MAX_AMOUNT) return creditDelta(value);
  throw misused(
    `${flag} takes a whole number from -${MAX_AMOUNT} to ${MAX_AMOUNT}, not 0 and not ${quoted(text)}.`,
  );
}

export function parseDurationMs(flag: string, text: string): number {
  if (text === "0") return 0;
  const [, count = "", unit = ""] = DURATION.exec(text) ?? [];
  const durationMs = Number(count) * (UNITS_MS[unit] ?? Number.NaN);
  if (durationMs <= MAX_DURATION_MS) return durationMs;
  throw misused(
    `${flag} takes a duration such as 30m, 12h, 30d or 4w, up to ten years, not ${quoted(text)}.`,
  );
}

export function parseMoment(flag: string, text: string): Date {
  const moment = MOMENT.test(text) ? new Date(text) : new Date(Number.NaN);
  // 30 February would quietly become 2 March.
  const sameDay = new Date(`${text.slice(0, 10)}T00:00:00Z`).toJSON()?.startsWith(text.slice(0, 10));
  if (sameDay && !Number.isNaN(moment.getTime())) return moment;
  throw misused(
    `${flag} takes a date or time such as 2027-01-31 or 2027-01-31T12:00:00Z, not ${quoted(text)}.`,
  );
}

/**
 * An expiry given as a duration or a moment; both null if neither is. Called before anything is opened: a typo should
 * not start a database.
 */
export function parseExpiry(flags: ParsedFlags): { expiresInMs: number | null; expiresAt: Date | null } {
  const duration = flags.text("expires-in");
  const moment = flags.text("expires-at");
  if (duration !== undefined && moment !== undefined) {
    throw misused("--expires-in and --expires-at mean the same: give only one of them.");
  }
  return {
    expiresInMs: duration === undefined ? null : parseDurationMs("--expires-in", duration),
    expiresAt: moment === undefined ? null : parseMoment("--expires-at", moment),
  };
}

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

function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
