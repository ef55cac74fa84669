import { createSseParser, type SseEvent, SseOverflow } from "../../kit/index.ts";
import type { ChatEvent } from "../contract.ts";
import { createChunkDecoder, type DecodeContext, unreadable } from "./decode-chunk.ts";
import { createStreamDecoder } from "./decode-stream.ts";

/**
 * A reply that does not call itself a stream: JSON, with blanks in front where a server keeps the
 * connection awake, or a stream under a wrong name.
 */
export function decodeReply(text: string, context: Omit<DecodeContext, "whole">): ChatEvent[] {
  const body = text.trim();
  if (!body.startsWith("{")) return decodeUnnamedStream(body, context);
  const out: ChatEvent[] = [];
  const decoder = createChunkDecoder({ ...context, whole: true });
  decoder.push(parse(body), out);
  decoder.end(out);
  return out;
}

function decodeUnnamedStream(body: string, context: Omit<DecodeContext, "whole">): ChatEvent[] {
  if (!/^(?:data|event|id|retry)?:/.test(body)) throw unreadable("neither JSON nor a stream");
  const decoder = createStreamDecoder(context);
  return [...decoder.push(eventsOf(body)), ...decoder.end()];
}

function eventsOf(body: string): readonly SseEvent[] {
  const parser = createSseParser();
  try {
    return [...parser.push(new TextEncoder().encode(body)), ...parser.end()];
  } catch (error) {
    if (error instanceof SseOverflow) throw unreadable(error.message);
    throw error;
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw unreadable("a reply that is no JSON");
  }
}
