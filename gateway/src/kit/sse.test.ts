import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../test/fastest.ts";
import { createSseParser, encodeSseData, encodeSseEvent, type SseEvent, SseOverflow } from "./sse.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function parse(pieces: readonly Uint8Array[]): SseEvent[] {
  const parser = createSseParser();
  return [...pieces.flatMap((piece) => [...parser.push(piece)]), ...parser.end()];
}

const parseText = (text: string) => parse([encode(text)]);
const dataOf = (text: string) => parseText(text).map(({ data }) => data);

/** The rules of the standard, line by line, on the whole text at once. */
function reference(bytes: Uint8Array): SseEvent[] {
  const events: SseEvent[] = [];
  let event = "";
  let data: string[] = [];
  for (const line of [...new TextDecoder().decode(bytes).split(/\r\n|\r|\n/), ""]) {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (line === "") {
      if (data.length > 0) events.push({ event: event || "message", data: data.join("\n") });
      event = "";
      data = [];
    } else if (field === "data") data.push(value);
    else if (field === "event") event = value;
  }
  return events;
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
}

describe("the parser follows the standard", () => {
  test.each([
    ["data: a\n\n", ["a"]],
    ["data:a\n\n", ["a"]],
    ["data:  a\n\n", [" a"]],
    ["data\n\n", [""]],
    ["data: a\ndata: b\n\n", ["a\nb"]],
    ["data: a\n\n\n\ndata: b\n\n", ["a", "b"]],
    ["data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
    ["data: a\r\rdata: b\r\r", ["a", "b"]],
    ["data: a\n\rdata: b\r\n\n", ["a", "b"]],
    [": comment\n\ndata: a\n: another\n\n", ["a"]],
    ["\ufeffdata: a\n\n", ["a"]],
    ["id: 1\nretry: 5\nunknown\nDATA: no\ndata: a\n\n", ["a"]],
    ["event: ping\n\n", []],
    ["", []],
  ])("%j gives %j", (text, expected) => {
    expect(dataOf(text)).toEqual(expected);
  });

  test("an event's name does not apply to the next event", () => {
    expect(parseText("event:pong\ndata:0\n\nevent: ping\ndata: 1\n\ndata: 2\n\nevent\ndata: 3\n\n")).toEqual([
      { event: "pong", data: "0" },
      { event: "ping", data: "1" },
      { event: "message", data: "2" },
      { event: "message", data: "3" },
    ]);
  });

  test("an empty event field resets the name", () => {
    expect(parseText("event: ping\nevent\ndata: 1\n\nevent: ping\nevent:\ndata: 2\n\n")).toEqual([
      { event: "message", data: "1" },
      { event: "message", data: "2" },
    ]);
  });

  test("a last event without its blank line is not lost", () => {
    expect(dataOf("data: a\n\ndata: [DONE]")).toEqual(["a", "[DONE]"]);
    expect(dataOf("data: [DONE]\n")).toEqual(["[DONE]"]);
  });

  test("a character truncated at the end becomes U+FFFD", () => {
    const bytes = encode("data: é");
    expect(parse([bytes.subarray(0, -1)])).toEqual([{ event: "message", data: "\ufffd" }]);
  });

  test("an event is returned as soon as its last byte arrives", () => {
    const parser = createSseParser();
    expect(parser.push(encode("data: a\r\n"))).toEqual([]);
    expect(parser.push(encode("\r"))).toHaveLength(1);
    expect(parser.push(encode("\ndata: b\n\n"))).toHaveLength(1);
  });
});

describe("however the bytes are split", () => {
  const part = fc.constantFrom(
    "data",
    "data:",
    "data: ",
    "event:",
    ":",
    " ",
    "\n",
    "\r",
    "\r\n",
    "\n\n",
    "\r\n\r\n",
    "\r\r",
    "é",
    "日本",
    "🙂",
    "\ufeff",
    "{}",
    "x",
    "[DONE]",
  );

  test("the events are those of the whole text, and those of a reference parser", () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 40 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (parts, places) => {
          const bytes = encode(parts.join(""));
          const expected = reference(bytes);
          expect(parse([bytes])).toEqual(expected);
          expect(parse(cut(bytes, places))).toEqual(expected);
          expect(parse([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each([
    "data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n",
    "data: a\rdata: b\r\rdata: c\r\r",
    "data: a\r\n\ndata: b\n\r\ndata: c\r\n\r",
    "event: x\r\ndata: a\r\n\n\r\r\ndata: b\n\n",
    "\r\n\r\n\ndata: é\n\n\r",
  ])("at each place, and around each line break: %j", (text) => {
    const bytes = encode(text);
    const expected = reference(bytes);
    for (let place = 0; place <= bytes.length; place += 1) {
      expect(parse(cut(bytes, [place])), `at ${place}`).toEqual(expected);
      expect(parse(cut(bytes, [place, place + 1])), `around ${place}`).toEqual(expected);
      expect(parse(cut(bytes, [place, place + 2])), `around two at ${place}`).toEqual(expected);
    }
  });

  test("also with an empty piece, or with one that holds part of a character", () => {
    const pieces = [encode("data: a\r"), new Uint8Array(0), encode("\ndata: b\r"), Uint8Array.of(0xc3)];
    expect(parse([...pieces, Uint8Array.of(0xa9), encode("\n\n")])).toEqual([
      { event: "message", data: "a\nb" },
    ]);
  });

  test("invalid UTF-8 is parsed as the reference parser does", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        (bytes, places) => {
          expect(parse(cut(bytes, places))).toEqual(reference(bytes));
        },
      ),
    );
  });
});

describe("bounds", () => {
  const bounds = { maxLineLength: 100, maxEventLength: 250 };
  const line = (length: number) => encode(`data: ${"a".repeat(length - 6)}\n`);

  test("a line at its limit passes, a longer one does not, finished or not", () => {
    expect(() => createSseParser(bounds).push(line(100))).not.toThrow();
    expect(() => createSseParser(bounds).push(line(101))).toThrow(SseOverflow);
    const parser = createSseParser(bounds);
    parser.push(encode("a".repeat(60)));
    expect(() => parser.push(encode("a".repeat(60)))).toThrow("an SSE line is longer");
  });

  test("many short lines in one piece are not one long line", () => {
    expect(createSseParser(bounds).push(encode("data: a\n\n".repeat(100)))).toHaveLength(100);
    expect(createSseParser(bounds).push(encode("data: a\r\n\r\n".repeat(100)))).toHaveLength(100);
  });

  test("an event at its limit passes, a longer one does not, in one line or in many empty ones", () => {
    const wide = { maxLineLength: 1_000, maxEventLength: 250 };
    expect(() => createSseParser(wide).push(line(250))).not.toThrow();
    expect(() => createSseParser(wide).push(line(251))).toThrow("an SSE event is longer");
    expect(() => createSseParser(wide).push(encode("data\n".repeat(252)))).not.toThrow();
    expect(() => createSseParser(wide).push(encode("data\n".repeat(253)))).toThrow("an SSE event is longer");
  });

  test("are by default 1 MiB for a line and 4 MiB for an event", () => {
    const parser = createSseParser();
    expect(() => parser.push(line(1 << 20))).not.toThrow();
    expect(() => parser.push(encode("x"))).not.toThrow();
    expect(() => createSseParser().push(line((1 << 20) + 1))).toThrow("an SSE line is longer");
    const full = createSseParser();
    for (let n = 0; n < 4; n += 1) full.push(line(1 << 20));
    expect(() => full.push(line(100))).toThrow("an SSE event is longer");
  });

  test("an unfinished line at its limit passes, a longer one does not, also after whole lines", () => {
    const unfinished = (length: number) => encode(`data: a\n${"a".repeat(length)}`);
    expect(() => createSseParser(bounds).push(unfinished(100))).not.toThrow();
    expect(() => createSseParser(bounds).push(unfinished(101))).toThrow("an SSE line is longer");
  });

  test("events before a line or event that is too long are kept, however the bytes are split", () => {
    const tight = { maxLineLength: 8, maxEventLength: 10 };
    const read = (pieces: readonly Uint8Array[]) => {
      const parser = createSseParser(tight);
      const events: SseEvent[] = [];
      try {
        for (const piece of pieces) events.push(...parser.push(piece));
        events.push(...parser.end());
        return { events, overflow: null };
      } catch (error) {
        if (!(error instanceof SseOverflow)) throw error;
        return { events: [...events, ...error.events], overflow: error.part };
      }
    };
    const part = fc.constantFrom(
      "data: a\n",
      "data:日本\r\n",
      "data\r",
      "event:x\n",
      "é",
      "\n",
      "\r\n",
      "\r",
    );
    const parts = fc.array(part, { minLength: 1, maxLength: 40 });
    const overflows = new Set<string | null>();
    fc.assert(
      fc.property(parts, fc.array(fc.nat(), { maxLength: 12 }), (texts, places) => {
        const bytes = encode(texts.join(""));
        const expected = read([...bytes].map((byte) => Uint8Array.of(byte)));
        expect(read([bytes])).toEqual(expected);
        expect(read(cut(bytes, places))).toEqual(expected);
        if (expected.events.length > 0) overflows.add(expected.overflow);
      }),
      { numRuns: 1_000 },
    );
    expect(overflows).toEqual(new Set(["line", "event", null]));
  });

  test("an event of many lines is limited too", () => {
    const parser = createSseParser(bounds);
    parser.push(line(100));
    parser.push(line(100));
    expect(() => parser.push(line(100))).toThrow("an SSE event is longer");
    const empties = createSseParser(bounds);
    expect(() => empties.push(encode("data\n".repeat(1_000)))).toThrow(SseOverflow);
  });

  test("a long line that comes byte by byte costs about as much per byte as a short one", () => {
    const perByte = (sizeBytes: number) => {
      const parser = createSseParser();
      const byte = encode("a");
      const ms = fastestMs(() => {
        for (let at = 0; at < sizeBytes; at++) parser.push(byte);
        parser.push(encode("\n"));
      }, 1);
      return ms / sizeBytes;
    };
    perByte(20_000);
    // Quadratic time would be fifty times as expensive; the rest is a margin for a busy machine.
    expect(perByte(1_000_000)).toBeLessThan(15 * Math.max(perByte(20_000), 0.0002));
  });
});

describe("encoding", () => {
  test("encoded events are parsed back", () => {
    const data = JSON.stringify({ content: "a\nb\r\n – 🙂" });
    expect(parseText(encodeSseEvent("content", data) + encodeSseData("[DONE]"))).toEqual([
      { event: "content", data },
      { event: "message", data: "[DONE]" },
    ]);
  });

  test("data with a line break throws, since it could forge a field", () => {
    expect(() => encodeSseEvent("content", "a\nevent: done")).toThrow("one line");
    expect(() => encodeSseData("a\rb")).toThrow("one line");
  });
});
