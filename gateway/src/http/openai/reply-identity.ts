import { assert } from "../../kit/index.ts";

/** The id of an answer on this wire. Derived from the request's id alone, so that a repeat has the same one. */
export function chatIdOf(requestId: string): string {
  return `chatcmpl-${requestId}`;
}

const MS_PER_SECOND = 1_000;

/** A UUIDv7 begins with its creation time in milliseconds. */
export function createdAtSeconds(requestId: string): number {
  const ms = Number.parseInt(requestId.slice(0, 8) + requestId.slice(9, 13), 16);
  assert(Number.isSafeInteger(ms), "a request's id begins with its time");
  return Math.floor(ms / MS_PER_SECOND);
}
