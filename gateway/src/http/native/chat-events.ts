import type { ChatStream, ChatStreamPart } from "../../generation/index.ts";
import { encodeSseEvent, unreachable } from "../../kit/index.ts";
import type { EventSource } from "../event-stream.ts";
import { encodeStopped } from "../fields/paid-fields.ts";
import type { NoteStreamFailure } from "../stream-failure.ts";
import { chatEnd } from "./chat-reply.ts";
import { errorBody } from "./errors.ts";

/** The four events of a streamed chat: connection_established, content, then done or error. */
export function chatEvents(stream: ChatStream, noteFailure: NoteStreamFailure): EventSource {
  let isOpen = false;
  let hasLeft = false;
  const encodeNext = (part: ChatStreamPart | null) => {
    if (part === null) return null;
    if (part.type === "error" && !hasLeft) noteFailure(stream, part.error);
    return encodePart(part, stream.requestId);
  };
  return {
    next() {
      if (isOpen) return stream.next().then(encodeNext);
      isOpen = true;
      return [encode("connection_established", { request_id: stream.requestId, model: stream.model })];
    },
    leave() {
      hasLeft = true;
      void stream.leave();
    },
  };
}

function encodePart(part: ChatStreamPart, requestId: string): readonly string[] {
  switch (part.type) {
    case "events": {
      const written: string[] = [];
      for (const event of part.events) {
        // A refusal is paid for like any other text, so it is content here, as in the plain reply.
        if (event.type === "text" || event.type === "refusal")
          written.push(encode("content", { content: event.text }));
      }
      return written;
    }
    case "done": {
      const { requestId: id, outcome } = part.paid;
      return [encode("done", { request_id: id, model: outcome.model, ...chatEnd(part.paid) })];
    }
    case "error":
      return [encode("error", { ...errorBody(part.error, requestId), ...encodeStopped(part.charge) })];
    default:
      return unreachable(part);
  }
}

function encode(event: string, data: unknown): string {
  return encodeSseEvent(event, JSON.stringify(data));
}
