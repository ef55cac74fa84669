import { endlessAnswer, type ProviderFailure } from "../../../contract/index.ts";
import {
  createSseParser,
  createWholePieces,
  excessOf,
  isJson,
  type SseEvent,
  SseOverflow,
  type SseParser,
} from "../../../kit/index.ts";
import { drain, EXCESS, expectEnd } from "../../../outbound/index.ts";
import { excessFailure } from "../failure.ts";
import type { SaidEnd } from "./said-end.ts";

/** The library buffers an event until it is complete. */
const MAX_EVENT_LENGTH = 4 << 20;
const BOUNDS = { maxLineLength: MAX_EVENT_LENGTH, maxEventLength: MAX_EVENT_LENGTH };

/**
 * The same stream, event by event. Fails at an event that does not end, or that is deeper or larger than we accept,
 * because the library parses anything and writes some of it again; events before it are passed on first. `reword` is
 * for data that the library would misread. The library waits for the connection to close; `saidEnd` recognises the end
 * of the answer earlier.
 */
export function boundEvents(
  response: Response,
  { reword = same, saidEnd = saysNothing }: EventHabits = {},
): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const parser = createSseParser(BOUNDS);
  const whole = createWholePieces();
  const encoder = new TextEncoder();
  let failure: ProviderFailure | null = null;
  let isEnding = false;
  let isOver = false;

  function lookForEnd(events: readonly SseEvent[]): void {
    const end = endIn(events, saidEnd);
    isOver = end === "now";
    isEnding ||= end === "soon";
    if (isOver) drain(response);
    // The wait starts over with every event: some servers announce the end and continue.
    else if (isEnding && events.length > 0) expectEnd(response);
  }

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (let text = ""; text === ""; ) {
            if (failure !== null) throw failure;
            if (isOver) return controller.close();
            const { done, value } = await reader.read();
            isOver = done;
            const taken = done ? lastEvents(parser) : takeEvents(parser, value);
            if (!isOver) lookForEnd(taken.events);
            const events = [...whole.push(taken.events), ...(isOver || taken.failure ? whole.end() : [])];
            text = events.map((event) => encodeEvent(event, reword)).join("");
            failure = taken.failure;
            if (text !== "") controller.enqueue(encoder.encode(text));
          }
        } catch (error) {
          void reader.cancel().catch(() => {});
          // A failing stream drops what the library still holds. One event-loop turn later, a reader that keeps up has
          // received it.
          await new Promise<void>((resolve) => setImmediate(resolve));
          controller.error(error);
        }
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}

/** Rewrites the data of an event, possibly into several events. */
export type Reword = (data: string) => string | readonly string[];

type EventHabits = {
  readonly reword?: Reword | undefined;
  readonly saidEnd?: SaidEnd | undefined;
};

type Taken = { readonly events: readonly SseEvent[]; readonly failure: ProviderFailure | null };

function takeEvents(parser: SseParser, bytes: Uint8Array): Taken {
  return bounded(() => parser.push(bytes));
}

/**
 * Some servers omit the blank line after the last event. An event that is not valid JSON was cut off, so it is dropped.
 */
function lastEvents(parser: SseParser): Taken {
  const { events, failure } = bounded(() => parser.end());
  return { events: events.filter(({ data }) => isJson(data)), failure };
}

function bounded(take: () => readonly SseEvent[]): Taken {
  const { events, failure } = parsed(take);
  for (const [at, { data }] of events.entries()) {
    const excess = excessOf(data);
    if (excess !== null)
      return { events: events.slice(0, at), failure: excessFailure(`an event that ${excess}`) };
  }
  return { events, failure };
}

function parsed(take: () => readonly SseEvent[]): Taken {
  try {
    return { events: take(), failure: null };
  } catch (error) {
    if (!(error instanceof SseOverflow)) throw error;
    return { events: error.events, failure: endlessAnswer(error.message, EXCESS) };
  }
}

function endIn(events: readonly SseEvent[], saidEnd: SaidEnd): ReturnType<SaidEnd> {
  let end: ReturnType<SaidEnd> = null;
  for (const { data } of events) if (end !== "now") end = saidEnd(data) ?? end;
  return end;
}

function encodeEvent({ event, data }: SseEvent, reword: Reword): string {
  const said = reword(data);
  if (typeof said === "string") return encodeData(event, said);
  return said.map((each) => encodeData(event, each)).join("");
}

/** Data may have several lines, which the library joins again. It does not read event names. */
function encodeData(event: string, data: string): string {
  return `event: ${event}\ndata: ${data.replaceAll("\n", "\ndata: ")}\n\n`;
}

function same(data: string): string {
  return data;
}

function saysNothing(): null {
  return null;
}
