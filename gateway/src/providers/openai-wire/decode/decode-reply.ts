import type { ChatEvent } from "../../../contract/index.ts";
import { wholeCharacters } from "../../../kit/index.ts";
import { askedAt, type OutboundResponse } from "../../../outbound/index.ts";
import { fieldsOf } from "../../../wires/index.ts";
import type { Reading } from "../reading.ts";
import { parseAnswer, unreadable } from "./decode-chunk.ts";

/**
 * A reply that is not a stream, whatever its content type: JSON, after blanks if a server keeps the connection alive.
 */
export function decodeReply(text: string, reading: Reading, response?: OutboundResponse): ChatEvent[] {
  const body = text.trim();
  if (body.startsWith("{") || body.startsWith("[")) {
    return reading.whole(fieldsOf(parseAnswer(wholeCharacters(body), "a reply", reading.mostKeys)));
  }
  // Usually a page from another server: its address tells the operator what to fix.
  const where = response === undefined ? "" : `${askedAt(response)}: `;
  throw unreadable(`${where}neither JSON nor a stream`);
}
