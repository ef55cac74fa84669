import type { SseEvent } from "../../kit/index.ts";
import type { ChatEvent } from "../contract.ts";
import { createChunkDecoder, type DecodeContext, unreadable } from "./decode-chunk.ts";
import { createPlainChunks } from "./plain-chunk.ts";

export type StreamDecoder = {
  /** True from `[DONE]` on: whatever comes after it is not looked at. */
  readonly isDone: boolean;
  /** The neutral events of what arrived together; empty where it said nothing. */
  push(events: readonly SseEvent[]): ChatEvent[];
  /** `finish`, and what must stand before it; throws where the answer broke off. */
  end(): ChatEvent[];
};

export function createStreamDecoder(context: Omit<DecodeContext, "whole">): StreamDecoder {
  const chunks = createChunkDecoder({ ...context, whole: false });
  const plain = createPlainChunks();
  let isDone = false;

  function push(data: string, out: ChatEvent[]): void {
    const words = plain.wordsOf(data);
    if (words !== null) {
      out.push({ type: "text", text: words });
      return;
    }
    const chunk = parse(data);
    chunks.push(chunk, out);
    plain.learn(data, chunk);
  }

  return {
    get isDone() {
      return isDone;
    },
    push(events) {
      const out: ChatEvent[] = [];
      for (const { data } of events) {
        if (isDone) break;
        if (data.startsWith("[DONE]")) isDone = true;
        else if (data !== "") push(data, out);
      }
      return out;
    },
    end() {
      const out: ChatEvent[] = [];
      chunks.end(out);
      return out;
    },
  };
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw unreadable("a chunk that is no JSON");
  }
}
