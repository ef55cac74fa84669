import { z } from "zod";
import { MAX_RATE_CREDITS, parseRate } from "../rate.ts";

/**
 * Building blocks of the catalog's schema. Each has a single message that says what it accepts, whatever is wrong with
 * the value.
 */

export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

/** A number that is stored as something else; `read` returns undefined if it is not accepted. */
function numberAs<Kept>(error: string, read: (written: number) => Kept | undefined) {
  return z.number({ error }).transform((written, context): Kept => {
    const kept = read(written);
    if (kept !== undefined) return kept;
    context.addIssue({ code: "custom", message: error });
    return z.NEVER;
  });
}

export const rate = numberAs(
  `must be a number from 0 to ${MAX_RATE_CREDITS} with at most 6 decimals`,
  parseRate,
);

/** US dollars, stored in whole cents. */
export const usd = numberAs(
  "must be an amount of US dollars from 0 to 1000000, in whole cents",
  (written) => {
    const match =
      written >= 0 && written <= 1_000_000 ? /^(\d+)(?:\.(\d{1,2}))?$/.exec(String(written)) : null;
    return match ? Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0")) : undefined;
  },
);

/** Durations are written in seconds and stored in whole milliseconds. */
export const seconds = numberAs(
  "must be a number of seconds from 0.1 to 3600 with at most 3 decimals",
  (written) => {
    const inRange = written >= 0.1 && written <= 3600 && /^\d+(\.\d{1,3})?$/.test(String(written));
    return inRange ? Math.round(written * 1000) : undefined;
  },
);

/** The `model` that clients send. No spaces or line breaks, since it is used in headers and URLs. */
const ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$/;
const ID_ERROR = "must be 1 to 128 letters, digits and . _ : / -, beginning with a letter or digit";

export const identifier = z.string({ error: ID_ERROR }).regex(ID_PATTERN, { error: ID_ERROR });

/** Names of plans, packs and providers. */
const KEY_ERROR = "must be a name of 1 to 64 lower-case letters, digits and - _, beginning with a letter";
export const keyName = z.string({ error: KEY_ERROR }).regex(/^[a-z][a-z0-9_-]{0,63}$/, { error: KEY_ERROR });

export function line(maxCharacters: number) {
  const error = `must be one line of 1 to ${maxCharacters} characters`;
  return z
    .string({ error })
    .min(1, { error })
    .max(maxCharacters, { error })
    .regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, { error });
}

export function listOf<Item extends z.ZodType>(item: Item, max: number) {
  const error = `must be a list of 1 to ${max}`;
  return z.array(item, { error }).min(1, { error }).max(max, { error });
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(", ")}` });
}
