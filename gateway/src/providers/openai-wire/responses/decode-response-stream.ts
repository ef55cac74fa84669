import type { ChatEvent } from "../../../contract/index.ts";
import { createWholePieces, isObject, type SseEvent } from "../../../kit/index.ts";
import { type Fields, isFields } from "../../../wires/index.ts";
import { brokeOff, parseAnswer, type ReadingContext, unreadable } from "../decode/decode-chunk.ts";
import type { StreamDecoder } from "../decode/decode-stream.ts";
import { saysNothing } from "../wire-failure.ts";
import { responseFailure } from "./response-failure.ts";

/** Emits the events of a response; the last one says how it ended. */
export type ResponseEmitter = {
  emit(type: string, event: Fields, data: string, out: ChatEvent[]): void;
  /** `finish`, and before it whatever has not been emitted yet. */
  end(response: unknown): ChatEvent[];
};

export function createResponseStreamDecoder(
  { secrets }: Pick<ReadingContext, "secrets">,
  emitter: ResponseEmitter,
): StreamDecoder {
  let ending: ChatEvent[] | null = null;
  let failure: { readonly error: unknown } | null = null;
  const whole = createWholePieces();

  function push(named: string, data: string, out: ChatEvent[]): void {
    const event = parse(data);
    const type = typeof event["type"] === "string" ? event["type"] : named;
    switch (type) {
      case "error":
        throw responseFailure(event["error"] ?? event, secrets);
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
        ending = emitter.end(withStatus(event["response"], type.slice("response.".length)));
        return;
      default:
        if (event["error"]) pushBeside(type, event, out);
        else if (WORDS.has(type) && !isSayable(event["delta"])) throw unreadable("words that are no text");
        else emitter.emit(type, event, data, out);
    }
  }

  /** Passes an event on without its empty error: clients throw whenever there is one. */
  function pushBeside(type: string, { error, ...event }: Fields, out: ChatEvent[]): void {
    if (!isNamed(event) || !saysNothing(error)) throw responseFailure(error, secrets);
    push(type, JSON.stringify(event), out);
  }

  function pushAll(events: readonly SseEvent[]): ChatEvent[] {
    const out: ChatEvent[] = [];
    try {
      for (const { event, data } of events) {
        if (ending !== null) break;
        if (data !== "" && !data.startsWith("[DONE]")) push(event, data, out);
      }
    } catch (error) {
      failure = { error };
    }
    return out;
  }

  return {
    get isDone() {
      return ending !== null || failure !== null;
    },
    // Its end is its last event.
    hasEnded: false,
    push: (events) => pushAll(whole.push(events)),
    end() {
      const out = pushAll(whole.end());
      if (failure !== null) throw failure.error;
      if (ending === null) throw brokeOff(false);
      return [...out, ...ending];
    },
  };
}

/** The event is about something else, so that an error may be beside it. */
function isNamed({ type }: Fields): boolean {
  return typeof type === "string" && !type.endsWith("error");
}

/** Some servers state the outcome only in the event's type. */
function withStatus(response: unknown, status: string): unknown {
  const saysNone = isObject(response) && (response["status"] ?? null) === null;
  return saysNone ? { ...response, status } : response;
}

/** The events that an answer consists of: if one cannot be read, the answer cannot be read. */
const WORDS: ReadonlySet<string> = new Set(["response.output_text.delta", "response.refusal.delta"]);

function isSayable(delta: unknown): boolean {
  return typeof delta === "string" || delta === undefined || delta === null;
}

function parse(data: string): Fields {
  const event = parseAnswer(data, "an event");
  if (!isFields(event)) throw unreadable("an event that is no object");
  return event;
}
