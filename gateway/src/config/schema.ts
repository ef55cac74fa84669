import { HOUR_MS, isObject } from "../kit/index.ts";
import type { WholeNumberRange } from "./env.ts";
import type { Mapping } from "./file.ts";

export type Limits = {
  /** For chat and responses of the OpenAI-compatible API. */
  readonly compatibleBodyBytes: number;
  readonly videoBodyBytes: number;
  /** For all other requests. */
  readonly bodyBytes: number;
  /** Larger bodies pass a gate a few at a time, so that together they cannot fill the memory. */
  readonly bigBodyBytes: number;
  readonly bigBodiesAtOnce: number;
  readonly bigBodiesBytes: number;
  readonly jsonDepth: number;
  readonly messages: number;
};

/** How long each part of a call may take. */
export type Timeouts = {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly callMs: number;
  readonly readerStallMs: number;
  readonly keepAliveMs: number;
  readonly settleMs: number;
  readonly drainMs: number;
};

/** When owners and admins get emails. */
export type Notices = {
  /** Percentage of the month's credits below which the balance counts as low. */
  readonly lowBalancePercent: number;
  /** The balance also counts as low below this many credits. */
  readonly lowBalanceCredits: number;
  /** Days before a period's credits expire. */
  readonly expiryDays: number;
};

const MIB = 1024 * 1024;
const MAX_BODY_BYTES = 256 * MIB;
const MAX_BODIES_BYTES = 64 * 1024 * MIB;
const MAX_TIMEOUT_MS = HOUR_MS;

/** Keys at the top level of the file. The catalog's sections are checked by the catalog. */
export const CATALOG_SECTIONS = ["models", "aliases", "plans", "packs"] as const;
export const TOP_LEVEL = [
  "providers",
  ...CATALOG_SECTIONS,
  "limits",
  "timeouts",
  "notices",
  "sandbox",
  "credit_usd",
] as const;

export function readLimits(given: unknown, problems: string[]): Limits {
  const section = createSection("limits", given, problems);
  const limits: Limits = {
    compatibleBodyBytes: section.take("compatible_body_bytes", bodyBytes(32)),
    videoBodyBytes: section.take("video_body_bytes", bodyBytes(40)),
    bodyBytes: section.take("body_bytes", bodyBytes(4)),
    bigBodyBytes: section.take("big_body_bytes", { min: 64 * 1024, max: MAX_BODY_BYTES, fallback: MIB }),
    bigBodiesAtOnce: section.take("big_bodies_at_once", { min: 1, max: 1000, fallback: 8 }),
    bigBodiesBytes: section.take("big_bodies_bytes", {
      min: MIB,
      max: MAX_BODIES_BYTES,
      fallback: 512 * MIB,
    }),
    jsonDepth: section.take("json_depth", { min: 8, max: 512, fallback: 64 }),
    messages: section.take("messages", { min: 1, max: 100_000, fallback: 10_000 }),
  };
  section.finish();
  return Object.freeze(limits);
}

export function readTimeouts(given: unknown, problems: string[]): Timeouts {
  const section = createSection("timeouts", given, problems);
  const timeouts: Timeouts = {
    connectMs: section.take("connect_ms", timeoutMs(5)),
    firstByteMs: section.take("first_byte_ms", timeoutMs(120)),
    idleMs: section.take("idle_ms", timeoutMs(120)),
    callMs: section.take("call_ms", timeoutMs(15 * 60)),
    readerStallMs: section.take("reader_stall_ms", timeoutMs(60)),
    keepAliveMs: section.take("keep_alive_ms", timeoutMs(15)),
    settleMs: section.take("settle_ms", timeoutMs(30)),
    drainMs: section.take("drain_ms", timeoutMs(30)),
  };
  section.finish();
  return Object.freeze(timeouts);
}

export function readNotices(given: unknown, problems: string[]): Notices {
  const section = createSection("notices", given, problems);
  const notices: Notices = {
    lowBalancePercent: section.take("low_balance_percent", { min: 0, max: 100, fallback: 10 }),
    lowBalanceCredits: section.take("low_balance_credits", { min: 0, max: 1_000_000_000, fallback: 1_000 }),
    expiryDays: section.take("expiry_days", { min: 0, max: 31, fallback: 3 }),
  };
  section.finish();
  return Object.freeze(notices);
}

const MAX_CREDIT_MICRO_USD = 1_000_000;

/** Value of a credit, in whole millionths of a US dollar. */
export function readCreditMicroUsd(given: unknown, problems: string[]): number {
  const fallback = 1000;
  if (given === undefined || given === null) return fallback;
  // Checks the number's text, so that nothing is rounded silently.
  const match = typeof given === "number" ? /^(\d)(?:\.(\d{1,6}))?$/.exec(String(given)) : null;
  const micros = match ? Number(match[1]) * 1_000_000 + Number((match[2] ?? "").padEnd(6, "0")) : 0;
  if (micros >= 1 && micros <= MAX_CREDIT_MICRO_USD) return micros;
  problems.push("credit_usd: must be a number from 0.000001 to 1 with at most 6 decimals");
  return fallback;
}

function bodyBytes(mib: number): WholeNumberRange {
  return { min: 1024, max: MAX_BODY_BYTES, fallback: mib * MIB };
}

function timeoutMs(seconds: number): WholeNumberRange {
  return { min: 100, max: MAX_TIMEOUT_MS, fallback: seconds * 1000 };
}

/** A mapping of whole numbers. Keys that were never taken are typos, and refused by name. */
function createSection(name: string, given: unknown, problems: string[]) {
  const taken = new Set<string>();
  if (given !== undefined && given !== null && !isObject(given)) {
    problems.push(`${name}: must be a mapping`);
  }
  const values: Mapping = isObject(given) ? given : {};
  return {
    take(key: string, { min, max, fallback }: WholeNumberRange): number {
      taken.add(key);
      const value = values[key];
      if (value === undefined || value === null) return fallback;
      if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) {
        return value as number;
      }
      const shown = typeof value === "number" ? ` (got ${value})` : "";
      problems.push(`${name}.${key}: must be a whole number from ${min} to ${max}${shown}`);
      return fallback;
    },
    finish(): void {
      refuseUnknown({ path: name, given: values, known: [...taken], problems });
    },
  };
}

export function refuseUnknown(input: {
  readonly path: string;
  readonly given: Mapping;
  readonly known: readonly string[];
  readonly problems: string[];
}): void {
  for (const key of Object.keys(input.given)) {
    if (input.known.includes(key)) continue;
    const name = input.path === "" ? key : `${input.path}.${key}`;
    input.problems.push(`${name}: is not a setting; known here: ${input.known.join(", ")}`);
  }
}
