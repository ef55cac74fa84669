import type { SseEvent } from "../../kit/index.ts";
import type { ChatEvent, ProviderFailure } from "../contract.ts";
import { createChunkDecoder, type DecodeContext, unreadable } from "./decode-chunk.ts";
import { createPlainChunks } from "./plain-chunk.ts";
import { wireFailure } from "./wire-failure.ts";

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

  /** An event that calls itself an error is one, whatever its data looks like. */
  function failureIn(data: string): ProviderFailure {
    const chunk = parse(data);
    const isWrapped = typeof chunk === "object" && chunk !== null && "error" in chunk;
    return wireFailure(isWrapped ? chunk.error : chunk, context.secrets);
  }

  return {
    get isDone() {
      return isDone;
    },
    push(events) {
      const out: ChatEvent[] = [];
      for (const { event, data } of events) {
        if (isDone) break;
        if (event === "error") throw failureIn(data);
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
