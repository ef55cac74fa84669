import { assert } from "../../kit/index.ts";

/** What names an answer on this wire. Made from the request's id alone, so that a repeat is named like the first. */
export function chatIdOf(requestId: string): string {
  return `chatcmpl-${requestId}`;
}

const MS_PER_SECOND = 1_000;

/** A UUIDv7 begins with the milliseconds of its making. */
export function createdAtSeconds(requestId: string): number {
  const ms = Number.parseInt(requestId.slice(0, 8) + requestId.slice(9, 13), 16);
  assert(Number.isSafeInteger(ms), "a request's id begins with its time");
  return Math.floor(ms / MS_PER_SECOND);
}
