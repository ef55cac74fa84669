import { z } from "zod";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/index.ts";
import type { Operation } from "./operation.ts";

/** An input field as faces see it that are given text: flags, and parameters of an address. */
export type InputField = {
  readonly name: string;
  readonly kind: "text" | "whole" | "switch" | "list";
  /** Of a text, or of each item of a list. */
  readonly choices: readonly string[] | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly isRequired: boolean;
  readonly about: string;
};

type Made = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Made;
  readonly anyOf?: readonly Made[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
};
const KINDS: Readonly<Record<string, InputField["kind"]>> = {
  integer: "whole",
  boolean: "switch",
  array: "list",
};

export function inputFields({ input }: Pick<Operation, "input">): readonly InputField[] {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: "input" });
  return Object.entries(properties as Record<string, Made>).map(([name, made]) => ({
    name,
    kind: KINDS[made.type ?? ""] ?? "text",
    choices: (made.items ?? made).enum ?? null,
    min: made.minimum ?? null,
    max: made.maximum ?? null,
    isRequired: required.includes(name),
    about: made.description ?? "",
  }));
}

/** What the field takes, for a sentence that ends there. */
export function acceptedBy({ kind, choices, min, max }: InputField): string | null {
  if (choices) return `${kind === "list" ? "one or more" : "one"} of ${choices.join(", ")}`;
  if (kind === "switch") return "one of true, false";
  return kind === "whole" ? `a whole number from ${min} to ${max}` : null;
}

/** The value that a text stands for; undefined if it is none of the kind. */
export function valueOfText({ kind, choices }: InputField, text: string): unknown {
  switch (kind) {
    case "whole":
      return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined;
    case "switch":
      return text === "true" ? true : text === "false" ? false : undefined;
    case "list": {
      const items = text.split(",").map((item) => item.trim());
      return choices && !items.every((item) => choices.includes(item)) ? undefined : items;
    }
    case "text":
      return choices && !choices.includes(text) ? undefined : text;
  }
}

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

export function durationMs(text: string): number | null {
  if (text === "0") return 0;
  const [, count = "", unit = ""] = DURATION.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? Number.NaN);
  return ms <= MAX_DURATION_MS ? ms : null;
}

export function momentOf(text: string): Date | null {
  const moment = MOMENT.test(text) ? new Date(text) : new Date(Number.NaN);
  // 30 February would quietly become 2 March.
  const sameDay = new Date(`${text.slice(0, 10)}T00:00:00Z`).toJSON()?.startsWith(text.slice(0, 10));
  return sameDay && !Number.isNaN(moment.getTime()) ? moment : null;
}

export const duration = z
  .string()
  .refine(
    (text) => durationMs(text) !== null,
    "This takes a duration such as 30m, 12h, 30d or 4w, up to ten years.",
  );
export const moment = z
  .string()
  .refine(
    (text) => momentOf(text) !== null,
    "This takes a date or time such as 2027-01-31 or 2027-01-31T12:00:00Z.",
  );

/** An end given as a duration or as a moment; both null if as neither. */
export function endOf({
  expiresIn,
  expiresAt,
}: {
  expiresIn?: string | undefined;
  expiresAt?: string | undefined;
}) {
  return {
    expiresInMs: expiresIn === undefined ? null : durationMs(expiresIn),
    expiresAt: expiresAt === undefined ? null : momentOf(expiresAt),
  };
}
