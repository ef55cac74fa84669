import {
  createSseParser,
  createWholePieces,
  excessOf,
  isJson,
  type SseEvent,
  SseOverflow,
  type SseParser,
} from "../../kit/index.ts";
import { endlessAnswer } from "../answer-failures.ts";
import type { ProviderFailure } from "../contract.ts";
import { drain, EXCESS, expectEnd } from "../outbound/index.ts";
import { excessFailure } from "./failure.ts";
import type { SaidEnd } from "./said-end.ts";

/** The library keeps an event whole in memory until its end has come. */
const MAX_EVENT_LENGTH = 4 << 20;
const BOUNDS = { maxLineLength: MAX_EVENT_LENGTH, maxEventLength: MAX_EVENT_LENGTH };

/**
 * The same stream, event by event, which fails at one that does not end or that is deeper or has more in it than we read: the library parses
 * whatever comes and writes some of it again. What stands before such an event is handed on first. `reword` is for data
 * that the library would misread. The library waits for the end of the connection: by `saidEnd` it is not waited for where
 * the answer has ended before.
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
    // Anew with all that comes: some say their end and go on.
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
          // A stream of the library's that fails drops what it holds; a turn later a reader who keeps up has that.
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

/** The data of an event in other words, or those of the events that it becomes. */
export type Reword = (data: string) => string | readonly string[];

type EventHabits = {
  readonly reword?: Reword | undefined;
  readonly saidEnd?: SaidEnd | undefined;
};

type Taken = { readonly events: readonly SseEvent[]; readonly failure: ProviderFailure | null };

function takeEvents(parser: SseParser, bytes: Uint8Array): Taken {
  return bounded(() => parser.push(bytes));
}

/** Some servers leave out the blank line behind the last one. What is no JSON yet was cut off, and has said nothing. */
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

/** Data may have several lines, which the library joins again; the name of an event it does not read. */
function encodeData(event: string, data: string): string {
  return `event: ${event}\ndata: ${data.replaceAll("\n", "\ndata: ")}\n\n`;
}

function same(data: string): string {
  return data;
}

function saysNothing(): null {
  return null;
}
