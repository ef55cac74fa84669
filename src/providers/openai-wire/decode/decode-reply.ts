import { createSseParser, type SseEvent, SseOverflow, wholeCharacters } from "../../../kit/index.ts";
import type { ChatEvent } from "../../contract.ts";
import { askedAt, type OutboundResponse } from "../../outbound/index.ts";
import type { Reading } from "../reading.ts";
import { fieldsOf } from "../wire-fields.ts";
import { unreadable } from "./decode-chunk.ts";
import { parseAnswer } from "./exact-arguments.ts";

/**
 * A reply that does not call itself a stream: JSON, with blanks in front where a server keeps the
 * connection awake, or a stream under a wrong name.
 */
export function decodeReply(text: string, reading: Reading, response?: OutboundResponse): ChatEvent[] {
  const body = text.trim();
  if (body.startsWith("{") || body.startsWith("[")) {
    return reading.whole(fieldsOf(parseAnswer(wholeCharacters(body), "a reply")));
  }
  if (/^(?:data|event|id|retry)?:/.test(body)) return decodeUnnamedStream(body, reading);
  // Mostly the page of another server: its address says what to mend.
  const where = response === undefined ? "" : `${askedAt(response)}: `;
  throw unreadable(`${where}neither JSON nor a stream`);
}

function decodeUnnamedStream(body: string, reading: Reading): ChatEvent[] {
  const decoder = reading.stream();
  return [...decoder.push(eventsOf(body, reading)), ...decoder.end()];
}

function eventsOf(body: string, { bounds }: Reading): readonly SseEvent[] {
  const parser = createSseParser(bounds);
  try {
    return [...parser.push(new TextEncoder().encode(body)), ...parser.end()];
  } catch (error) {
    if (error instanceof SseOverflow) throw unreadable(error.message, error);
    throw error;
  }
}
