import { assert } from "./assert.ts";

/** `event` is `message` if the stream names none. */
export type SseEvent = { readonly event: string; readonly data: string };

export type SseBounds = {
  /** In UTF-16 units, so never more than the bytes that carried them. */
  readonly maxLineLength: number;
  /** Of all data lines of one event together. */
  readonly maxEventLength: number;
};

export const DEFAULT_SSE_BOUNDS: SseBounds = { maxLineLength: 1 << 20, maxEventLength: 4 << 20 };

/** The stream exceeds what we are willing to hold in memory. */
export class SseOverflow extends Error {
  override name = "SseOverflow";
  constructor(
    readonly part: "line" | "event",
    /** Events that the same bytes completed before the overflow: they arrived, however the network cut the stream. */
    readonly events: readonly SseEvent[],
  ) {
    super(`an SSE ${part} is longer than its bound`);
  }
}

export type SseParser = {
  /**
   * The events that these bytes complete, in order. Throws SseOverflow, which holds the events before it; the parser
   * must not be used afterwards.
   */
  push(bytes: Uint8Array): readonly SseEvent[];
  /** The event that was left unfinished if the stream ended without its last blank line. */
  end(): readonly SseEvent[];
};

const LF = 10;
const COLON = 58;
const SPACE = 32;

/**
 * Turns bytes into events, wherever the bytes are cut. An unfinished line is only appended to, never searched again, so
 * the time is linear in the bytes even if they arrive one by one.
 */
export function createSseParser(bounds: SseBounds = DEFAULT_SSE_BOUNDS): SseParser {
  const decoder = new TextDecoder();
  let partial = "";
  let endedInCr = false;
  let event = "message";
  let data: string | null = null;
  let found: SseEvent[] = [];

  function dispatch(): void {
    if (data !== null) found.push({ event, data });
    event = "message";
    data = null;
  }

  function takeLine(text: string, start: number, end: number): void {
    if (start === end) {
      dispatch();
      return;
    }
    if (end - start > bounds.maxLineLength) throw new SseOverflow("line", collect());
    if (text.startsWith("data:", start)) {
      addData(text.slice(text.charCodeAt(start + 5) === SPACE ? start + 6 : start + 5, end), end - start);
    } else if (text.startsWith("event:", start)) {
      event = text.slice(text.charCodeAt(start + 6) === SPACE ? start + 7 : start + 6, end) || "message";
    } else if (text.charCodeAt(start) !== COLON) {
      takeBareField(text.slice(start, end));
    }
  }

  /** A field without a colon has an empty value; `id`, `retry` and unknown fields are ignored. */
  function takeBareField(field: string): void {
    if (field === "data") addData("", 0);
    else if (field === "event") event = "message";
  }

  function addData(value: string, lineLength: number): void {
    const heldLength = data === null ? 0 : data.length;
    if (heldLength + lineLength > bounds.maxEventLength) throw new SseOverflow("event", collect());
    data = data === null ? value : `${data}\n${value}`;
  }

  function takeFirstLine(text: string, end: number): void {
    if (partial === "") {
      takeLine(text, 0, end);
      return;
    }
    const line = partial + text.slice(0, end);
    partial = "";
    takeLine(line, 0, line.length);
  }

  /** Lines may end in LF, CR or both: takes the nearer of the two, and searches for both only forward. */
  function takeLines(text: string): number {
    let start = 0;
    let lf = text.indexOf("\n");
    let cr = text.indexOf("\r");
    while (lf >= 0 || cr >= 0) {
      const isCr = cr >= 0 && (lf < 0 || cr < lf);
      const end = isCr ? cr : lf;
      if (start === 0) takeFirstLine(text, end);
      else takeLine(text, start, end);
      start = isCr && lf === end + 1 ? end + 2 : end + 1;
      if (lf >= 0 && lf < start) lf = text.indexOf("\n", start);
      if (cr >= 0 && cr < start) cr = text.indexOf("\r", start);
    }
    endedInCr = start > 0 && start === text.length && text.charCodeAt(start - 1) !== LF;
    return start;
  }

  function takeText(decoded: string): void {
    if (decoded === "") return;
    // The LF of a CRLF that was cut in two belongs to the line that has already ended.
    const text = endedInCr && decoded.charCodeAt(0) === LF ? decoded.slice(1) : decoded;
    endedInCr = false;
    const start = takeLines(text);
    if (start === text.length) return;
    if (partial.length + text.length - start > bounds.maxLineLength) throw new SseOverflow("line", collect());
    partial += start === 0 ? text : text.slice(start);
  }

  function collect(): readonly SseEvent[] {
    const events = found;
    found = [];
    return events;
  }

  return {
    push(bytes) {
      takeText(decoder.decode(bytes, { stream: true }));
      return collect();
    },
    end() {
      takeText(decoder.decode());
      if (partial !== "") takeFirstLine("", 0);
      dispatch();
      return collect();
    },
  };
}

/** One event as wire text. `data` must be one line, as JSON always is: a line break would inject a field. */
export function encodeSseEvent(event: string, data: string): string {
  assert(!data.includes("\n") && !data.includes("\r"), "SSE data is one line");
  return `event: ${event}\ndata: ${data}\n\n`;
}

/** An unnamed event as wire text. */
export function encodeSseData(data: string): string {
  assert(!data.includes("\n") && !data.includes("\r"), "SSE data is one line");
  return `data: ${data}\n\n`;
}
