import { createWholePieces, isObject, type SseEvent } from "../../../kit/index.ts";
import type { ChatEvent } from "../../contract.ts";
import { brokeOff, type ReadingContext, unreadable } from "../decode/decode-chunk.ts";
import type { StreamDecoder } from "../decode/decode-stream.ts";
import { parseAnswer } from "../decode/exact-arguments.ts";
import { saysNothing } from "../wire-failure.ts";
import { type Fields, isFields } from "../wire-fields.ts";
import { responseFailure } from "./response-failure.ts";

/** Tells what the events of a response say; the last one says how it ended. */
export type ResponseTeller = {
  tell(type: string, event: Fields, data: string, out: ChatEvent[]): void;
  /** `finish`, and before it what has not been told yet. */
  end(response: unknown): ChatEvent[];
};

export function createResponseStreamDecoder(
  { secrets }: Pick<ReadingContext, "secrets">,
  teller: ResponseTeller,
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
        ending = teller.end(withStatus(event["response"], type.slice("response.".length)));
        return;
      default:
        if (event["error"]) pushBeside(type, event, out);
        else if (WORDS.has(type) && !isSayable(event["delta"])) throw unreadable("words that are no text");
        else teller.tell(type, event, data, out);
    }
  }

  /** An error without a word is left out of what goes on: clients throw wherever there is one. */
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
    // Its end is the last that it says.
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

/** It tells of something else, so that an error may be beside it. */
function isNamed({ type }: Fields): boolean {
  return typeof type === "string" && !type.endsWith("error");
}

/** Some servers leave it to the event how the response ended. */
function withStatus(response: unknown, status: string): unknown {
  const saysNone = isObject(response) && (response["status"] ?? null) === null;
  return saysNone ? { ...response, status } : response;
}

/** What an answer consists of; where it cannot be read, the answer cannot. */
const WORDS: ReadonlySet<string> = new Set(["response.output_text.delta", "response.refusal.delta"]);

function isSayable(delta: unknown): boolean {
  return typeof delta === "string" || delta === undefined || delta === null;
}

function parse(data: string): Fields {
  const event = parseAnswer(data, "an event");
  if (!isFields(event)) throw unreadable("an event that is no object");
  return event;
}
