import type { JsonObject } from "../../json-fields.ts";
import { namesStoredReply } from "../../stored-reply.ts";

/**
 * Whether the item reports a call of one of the provider's own tools. Clients send it back with every turn, and nobody
 * runs it again.
 */
export function isReport(type: string): boolean {
  return type.endsWith("_call");
}

/** The report without inputs and outputs, which only mention files. */
export function deedOf({ results, input, output, ...deed }: JsonObject): JsonObject {
  return deed;
}

/**
 * Removes the provider's container in which the call ran: it may be another caller's, and naming it could give access
 * to it. Null if the report still refers to stored data, and means nothing without it.
 */
export function withoutKept(report: JsonObject): JsonObject | null {
  if (!namesStoredReply(deedOf(report))) return report;
  // The rest is kept: the result that follows means nothing without its call.
  const { environment: _environment, ...rest } = report;
  return namesStoredReply(deedOf(rest)) ? null : rest;
}
