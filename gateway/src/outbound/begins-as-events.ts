import { bodyOf } from "./body.ts";
import type { OutboundResponse } from "./outbound-call.ts";

/** How a line of an event stream can begin. */
const FIELDS = ["data:", "event:", "id:", "retry:", ":"];
const LONGEST_FIELD = 6;
/** Includes the bytes of a byte order mark: neither JSON nor an event stream begins with one of them. */
const BLANKS: ReadonlySet<number> = new Set([...Buffer.from(" \t\r\n\uFEFF")]);
const EVENTS = /^\s*(?:data|event|id|retry)?:/;

/**
 * Whether a body begins like an event stream, whatever its content type says. Waits only until that is certain. The
 * next reader gets the body from its first non-blank byte: blanks before it only kept the connection alive.
 */
export async function beginsAsEvents(response: OutboundResponse): Promise<boolean> {
  const body = bodyOf(response);
  let begun = Buffer.alloc(0);
  for (let piece = await body.read(); piece !== null; piece = await body.read()) {
    begun = Buffer.concat([begun, begun.byteLength === 0 ? withoutBlanks(piece) : piece]);
    const word = begun.toString("latin1", 0, LONGEST_FIELD);
    const isEvents = FIELDS.some((field) => word.startsWith(field));
    if (!isEvents && FIELDS.some((field) => field.startsWith(word))) continue;
    body.putBack(begun);
    return isEvents;
  }
  return false;
}

/** The same check for text that has already been read. */
export function readsAsEvents(text: string): boolean {
  return EVENTS.test(text);
}

function withoutBlanks(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => !BLANKS.has(byte));
  return start < 0 ? bytes.subarray(0, 0) : bytes.subarray(start);
}
