import type { JsonObject } from "../json-fields.ts";
import { namesKeptElsewhere } from "../kept-elsewhere.ts";

/** What a model did by a tool of its provider's. Clients send it back with every turn, and nobody does it again. */
export function isReport(type: string): boolean {
  return type.endsWith("_call");
}

/** What it says beside what came in and what came out: those only speak of files. */
export function deedOf({ results, input, output, ...deed }: JsonObject): JsonObject {
  return deed;
}

/**
 * Without the container of the provider's that it was done in, which a caller could make use of: it may be another's.
 * Null where the report is nothing without what it names.
 */
export function withoutKept(report: JsonObject): JsonObject | null {
  if (!namesKeptElsewhere(deedOf(report))) return report;
  // A result follows, which means nothing without its call.
  const { environment: _environment, ...rest } = report;
  return namesKeptElsewhere(deedOf(rest)) ? null : rest;
}
