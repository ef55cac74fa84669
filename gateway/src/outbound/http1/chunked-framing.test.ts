import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { chunked, LAST_CHUNK } from "../../../../test/upstream/raw-http.ts";
import { BadAnswer } from "./bad-answer.ts";
import { ChunkedFraming } from "./chunked-framing.ts";

/** What comes out when these pieces go in. */
function read(pieces: readonly (string | Uint8Array)[]): { text: string; framing: ChunkedFraming } {
  const framing = new ChunkedFraming();
  const taken = pieces.map((piece) => Buffer.from(framing.take(Buffer.from(piece))));
  return { text: Buffer.concat(taken).toString(), framing };
}

test("one read with many chunks gives one piece", () => {
  const framing = new ChunkedFraming();
  const bytes = Buffer.concat([
    chunked("data: 1\n\n"),
    chunked("data: 2\n\n"),
    chunked("x"),
    Buffer.from(LAST_CHUNK),
  ]);
  expect(Buffer.from(framing.take(bytes)).toString()).toBe("data: 1\n\ndata: 2\n\nx");
  expect(framing).toMatchObject({ isOver: true, mayEndHere: true, hasSurplus: false });
});

test("any chunks, split anywhere, give the original bytes and the correct end", () => {
  const body = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 8 });
  fc.assert(
    fc.property(body, fc.array(fc.nat(600), { maxLength: 12 }), (chunks, cuts) => {
      const wire = Buffer.concat([...chunks.map(chunked), Buffer.from(LAST_CHUNK)]);
      const places = [0, ...cuts.map((cut) => cut % wire.length).sort((a, b) => a - b), wire.length];
      const framing = new ChunkedFraming();
      const taken: Buffer[] = [];
      for (let at = 1; at < places.length; at++) {
        expect(framing.isOver).toBe(false);
        taken.push(Buffer.from(framing.take(Buffer.from(wire.subarray(places[at - 1], places[at])))));
      }
      expect(Buffer.concat(taken)).toEqual(Buffer.concat(chunks));
      expect(framing).toMatchObject({ isOver: true, hasSurplus: false });
    }),
  );
});

test.each([
  ["sizes in capitals and with zeros before them", "000A\r\n0123456789\r\n0\r\n\r\n", "0123456789"],
  ["extensions and blanks after a size", "1;name=value\r\na\r\n2 \r\nbc\r\n0;x\r\n\r\n", "abc"],
  ["trailers, which are ignored", "1\r\na\r\n0\r\nx-sum: 1\r\ny: 2\r\n\r\n", "a"],
  ["an empty body", "0\r\n\r\n", ""],
])("accepts %s", (_name, wire, text) => {
  expect(read([wire]).text).toBe(text);
  const single = read([...Buffer.from(wire)].map((byte) => Uint8Array.of(byte)));
  expect(single.text).toBe(text);
  expect(single.framing.isOver).toBe(true);
});

test("5,000 chunks with a signature extension each are read to the end", () => {
  const signed = (size: number) => `${size.toString(16)};chunk-signature=${"f".repeat(64)}`;
  const chunks = `${signed(1)}\r\na\r\n`.repeat(5_000);
  const trailers = `x-sum: ${"f".repeat(7_000)}\r\n`;
  const { text, framing } = read([`${chunks}${signed(0)}\r\n${trailers}\r\n`]);
  expect(text).toBe("a".repeat(5_000));
  expect(framing.isOver).toBe(true);
});

test("bytes after the end are reported as surplus and are not part of the body", () => {
  const { text, framing } = read(["1\r\na\r\n0\r\n\r\nHTTP/1.1 200"]);
  expect(text).toBe("a");
  expect(framing.hasSurplus).toBe(true);
});

test.each(["1\r\na\r\n", "1\r\na\r\n0\r\n", "5\r\nab"])("%j is incomplete", (wire) => {
  expect(read([wire]).framing).toMatchObject({ isOver: false, mayEndHere: false });
});

describe("refuses", () => {
  test.each([
    ["no size", "\r\na\r\n"],
    ["an extension without a size", ";x\r\n"],
    ["a size that is no number", "xyz\r\n"],
    ["a negative size", "-1\r\na\r\n"],
    ["a size with 0x before it", "0x1\r\na\r\n"],
    ["a size beyond any body", "fffffffff\r\n"],
    ["a size of more digits than a size has", `${"0".repeat(17)}1\r\na`],
    ["a line that ends with LF alone", "1\na\r\n"],
    ["an extension that ends with LF alone", "1;x\na\r\n"],
    ["CR without LF after a size", "1\rxa"],
    ["a chunk longer than it said", "1\r\nab\r\n"],
    ["a chunk that ends with LF alone", "1\r\na\n0\r\n"],
    ["CR without LF after a chunk", "1\r\na\rx"],
    ["a trailer that ends with LF alone", "0\r\nx: 1\n\r\n"],
    ["an end without CR", "0\r\n\n"],
    ["an endless extension", `1;${"x".repeat(9 << 10)}`],
    ["extensions that are most of an answer", `1;${"x".repeat(600)}\r\na\r\n`.repeat(100)],
    ["endless trailers", `0\r\n${"x: 1\r\n".repeat(2_000)}`],
  ])("%s", (_name, wire) => {
    expect(() => read([wire])).toThrow(BadAnswer);
  });
});
