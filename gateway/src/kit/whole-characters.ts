import type { SseEvent } from "./sse.ts";

/**
 * JSON escapes can express what is not valid text: NUL, and half of a surrogate pair. The first cannot be stored and
 * the second not be encoded in UTF-8, so in foreign JSON both are replaced by U+FFFD. Only escapes can carry them,
 * since the bytes were decoded before.
 */
const MAYBE_BROKEN = /\\u(?:0000|[dD][89a-fA-F])/;
const LOST = "\\ufffd";
const ESCAPE_LENGTH = LOST.length;
const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const LOWER_U = 0x75;
const LOWER_D = 0x64;
const ZERO = 0x30;
/** Set in lower-case letters and in digits. */
const CASE_BIT = 0x20;

/** JSON whose strings are well-formed Unicode without NUL; returned unchanged if it already was. */
export function wholeCharacters(json: string): string {
  return mayBeBroken(json) ? repairAll(json, breaksIn(json)) : json;
}

/** The same for a string that was parsed from JSON. */
export function wholeText(text: string): string {
  const whole = text.toWellFormed();
  return whole.includes("\0") ? withoutNul(whole) : whole;
}

/** By bytes: searching for each NUL takes a second if megabytes of text hold nothing else. */
function withoutNul(text: string): string {
  const bytes = Buffer.from(text, "utf16le");
  for (let at = 0; at < bytes.length; at += 2)
    if (bytes[at] === 0 && bytes[at + 1] === 0) bytes.writeUInt16LE(0xfffd, at);
  return bytes.toString("utf16le");
}

/** A stream of JSON events, in which a surrogate pair may be split between the texts of two events. */
type WholePieces = {
  push(events: readonly SseEvent[]): readonly SseEvent[];
  /** Releases what waited for its other half, which no longer comes. */
  end(): readonly SseEvent[];
};

/** Events of something else, such as another choice, may come between two halves. */
const MOST_WAITING = 4;

/** An event, and where in it a text ends in the first half of a pair: found once. */
type Waiting = SseEvent & { readonly ends: readonly number[] };

export function createWholePieces(): WholePieces {
  /** The first one ends in half a character; the others arrived after it. */
  const waiting: Waiting[] = [];

  /** Releases events that wait for nothing any more, and all but the last `most`. */
  function release(most: number, out: SseEvent[]): void {
    let count = 0;
    for (const { ends } of waiting) {
      if (waiting.length - count <= most && ends.length > 0) break;
      count++;
    }
    for (const { event, data } of waiting.splice(0, count)) out.push({ event, data: wholeCharacters(data) });
  }

  /** The event without the second halves that a waiting event was missing. */
  function joined(data: string): string {
    const starts = waiting.length === 0 ? [] : halvesOf(data, "isStart");
    for (let at = waiting.length - 1; at >= 0 && starts.length > 0; at--) {
      const before = waiting[at];
      const halves = before === undefined ? null : joinHalves(before, data, starts);
      if (before === undefined || halves === null) continue;
      waiting[at] = waitingAs({ ...before, data: halves.first });
      return halves.next;
    }
    return data;
  }

  return {
    push(events) {
      if (waiting.length === 0 && !events.some(({ data }) => mayBeBroken(data))) return events;
      const out: SseEvent[] = [];
      for (const { event, data } of events) {
        waiting.push(waitingAs({ event, data: mayBeBroken(data) ? joined(data) : data }));
        release(data.startsWith("{") ? MOST_WAITING : 0, out);
      }
      return out;
    },
    end() {
      const out: SseEvent[] = [];
      release(0, out);
      return out;
    },
  };
}

function waitingAs({ event, data }: SseEvent): Waiting {
  return { event, data, ends: mayBeBroken(data) ? halvesOf(data, "isEnd") : [] };
}

/** An event has one text, or one per choice. More halves than this do not come from a writer that split a character. */
const MOST_HALVES = 8;

function halvesOf(json: string, kind: "isEnd" | "isStart"): readonly number[] {
  const halves = breaksIn(json).flatMap((found) => (found[kind] ? [found.at] : []));
  return halves.length > MOST_HALVES ? [] : halves;
}

function mayBeBroken(json: string): boolean {
  return json.includes("\\u") && MAYBE_BROKEN.test(json);
}

type Break = {
  readonly at: number;
  /** The first half of a pair, at the end of its text. */
  readonly isEnd: boolean;
  /** The second half of a pair, at the start of its text. */
  readonly isStart: boolean;
};

/** Every escape is read once, so that an escaped backslash starts no escape itself. */
function breaksIn(json: string): Break[] {
  const found: Break[] = [];
  for (let at = json.indexOf("\\"); at >= 0; at = json.indexOf("\\", at)) {
    const unit = unitAt(json, at);
    if (unit === null) {
      // The digits of another `\\u` escape start nothing.
      at += 2;
      continue;
    }
    const isHigh = unit >= 0xd800 && unit < 0xdc00;
    if (isHigh && isLow(unitAt(json, at + ESCAPE_LENGTH))) {
      at += 2 * ESCAPE_LENGTH;
      continue;
    }
    if (unit === 0 || isHigh || isLow(unit)) {
      found.push({
        at,
        isEnd: isHigh && json.charCodeAt(at + ESCAPE_LENGTH) === QUOTE,
        isStart: isLow(unit) && json.charCodeAt(at - 1) === QUOTE && json.charCodeAt(at - 2) !== BACKSLASH,
      });
    }
    at += ESCAPE_LENGTH;
  }
  return found;
}

/** The UTF-16 unit written as `\uXXXX` there; null if it is no such escape, or can be neither NUL nor a surrogate. */
function unitAt(json: string, at: number): number | null {
  if (json.charCodeAt(at) !== BACKSLASH || json.charCodeAt(at + 1) !== LOWER_U) return null;
  const digit = json.charCodeAt(at + 2) | CASE_BIT;
  if (digit !== LOWER_D && digit !== ZERO) return null;
  const unit = Number.parseInt(json.slice(at + 2, at + ESCAPE_LENGTH), 16);
  return Number.isNaN(unit) ? null : unit;
}

function isLow(unit: number | null): boolean {
  return unit !== null && unit >= 0xdc00 && unit < 0xe000;
}

function repairAll(json: string, breaks: readonly Break[]): string {
  let mended = "";
  let from = 0;
  for (const { at } of breaks) {
    mended += json.slice(from, at) + LOST;
    from = at + ESCAPE_LENGTH;
  }
  return from === 0 ? json : mended + json.slice(from);
}

/** Moves second halves at the start of texts in `next` to the first halves at the end of the same texts before it. */
function joinHalves(
  before: Waiting,
  next: string,
  starts: readonly number[],
): { first: string; next: string } | null {
  let joined = before.data;
  let rest = next;
  const ends = before.ends.map((at) => ({ at, place: placeOf(before.data, at) }));
  // Backwards, so that the indexes found stay valid.
  for (const start of starts.toReversed()) {
    const place = ends.length === 0 ? "" : placeOf(next, start);
    const end = ends.findLastIndex((half) => half.place === place);
    const found = ends[end];
    if (found === undefined) continue;
    ends.splice(end);
    const at = found.at + ESCAPE_LENGTH;
    joined = joined.slice(0, at) + next.slice(start, start + ESCAPE_LENGTH) + joined.slice(at);
    rest = rest.slice(0, start) + rest.slice(start + ESCAPE_LENGTH);
  }
  return rest === next ? null : { first: joined, next: rest };
}

const NAME_BEFORE = /"([^"\\]{1,64})"\s*:\s*$/;
const NUMBER = /"(?:output_)?index"\s*:\s*(\d+)/;

/** Identifies a text by its field name and the number of its choice, since events of other choices may come between. */
function placeOf(json: string, at: number): string {
  const name = NAME_BEFORE.exec(json.slice(0, openingQuote(json, at)).slice(-80))?.[1] ?? "";
  return `${NUMBER.exec(json)?.[1] ?? ""} ${name}`;
}

/** An even run of backslashes escapes only itself, so the quote after it is a real one. */
function openingQuote(json: string, at: number): number {
  for (let quote = json.lastIndexOf('"', at - 1); quote > 0; quote = json.lastIndexOf('"', quote - 1)) {
    let before = quote - 1;
    while (before >= 0 && json.charCodeAt(before) === BACKSLASH) before--;
    if (((quote - before) & 1) === 1) return quote;
  }
  return 0;
}
