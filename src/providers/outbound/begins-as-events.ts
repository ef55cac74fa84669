import { bodyOf } from "./body.ts";
import type { OutboundResponse } from "./outbound-call.ts";

/** What a line of a stream of events begins with. */
const FIELDS = ["data:", "event:", "id:", "retry:", ":"];
const LONGEST_FIELD = 6;
/** The bytes that mark an encoding among them: neither JSON nor a stream begins with one. */
const BLANKS: ReadonlySet<number> = new Set([...Buffer.from(" \t\r\n\uFEFF")]);
const EVENTS = /^\s*(?:data|event|id|retry)?:/;

/**
 * Whether a body begins as a stream of events does, whatever its headers call it. Waits for no more than shows it; whoever
 * reads the body afterwards has it from its first letter on: blanks before that only kept the connection awake.
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

/** The same of a text that is there. */
export function readsAsEvents(text: string): boolean {
  return EVENTS.test(text);
}

function withoutBlanks(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => !BLANKS.has(byte));
  return start < 0 ? bytes.subarray(0, 0) : bytes.subarray(start);
}
