import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../test/fastest.ts";
import { createWholePieces, wholeCharacters, wholeText } from "./whole-characters.ts";

const HIGH = "\ud83d";
const LOW = "\ude00";
const LOST = "\ufffd";

/** JSON as written by servers that escape everything but ASCII. */
const written = (text: string) =>
  JSON.stringify(text).replace(
    /[^\0-~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

describe("foreign JSON", () => {
  test.each([
    ["a\0b", `a${LOST}b`],
    ["\0\0", LOST + LOST],
    [`x${HIGH}y`, `x${LOST}y`],
    [`${LOW}${HIGH}`, LOST + LOST],
    [`${HIGH}${HIGH}${LOW}${LOW}`, `${LOST}😀${LOST}`],
    ["😀 é \u2028", "😀 é \u2028"],
    ["C:\\u0000 \\\\ud83d", "C:\\u0000 \\\\ud83d"],
    ['{"path":"a\\u0000b"}', '{"path":"a\\u0000b"}'],
    [`\\${HIGH}\\`, `\\${LOST}\\`],
  ])("gets U+FFFD for NUL and for half a surrogate pair: %j", (given, expected) => {
    for (const json of [written(given), JSON.stringify(given)]) {
      expect(JSON.parse(wholeCharacters(json))).toBe(expected);
    }
    expect(wholeText(given)).toBe(expected);
  });

  test("hex digits of either case are understood, and a correct text stays unchanged", () => {
    expect(wholeCharacters('"\\uD83Dx"')).toBe('"\\ufffdx"');
    expect(wholeCharacters('"\\uD83D\\uDE00"')).toBe('"\\uD83D\\uDE00"');
    expect(wholeCharacters('"\\ud83')).toBe('"\\ud83');
    expect(wholeCharacters('"\\ud83d')).toBe('"\\ufffd');
  });
});

describe("pieces of a streamed answer", () => {
  const piece = (text: string, name = "content") => ({
    event: "message",
    data: `{"n":1,"${name}":${written(text)},"end":null}`,
  });
  const STOP = { event: "message", data: '{"finish":"stop"}' };
  const DONE = { event: "message", data: "[DONE]" };
  const read = (...events: { event: string; data: string }[]) => {
    const pieces = createWholePieces();
    const batches = [...events.map((event) => pieces.push([event])), pieces.end()];
    return batches.map((batch) => batch.map(({ data }) => (data === "[DONE]" ? data : JSON.parse(data))));
  };
  const texts = (batches: unknown[][]) =>
    batches.map((batch) => batch.map((data) => (data as { content?: string }).content));

  test("a piece that ends in half a character waits for the other half", () => {
    expect(texts(read(piece(`A${HIGH}`), piece(`${LOW}B`)))).toEqual([[], ["A😀", "B"], []]);
    expect(texts(read(piece(HIGH), piece(LOW), piece("C")))).toEqual([[], ["😀", ""], ["C"], []]);
    expect(texts(read(piece(`A${HIGH}`), piece(`${LOW}${HIGH}`), piece(`${LOW}!`)))).toEqual([
      [],
      ["A😀"],
      ["😀", "!"],
      [],
    ]);
  });

  test("it waits past up to four other pieces", () => {
    const other = { event: "ping", data: '{"type":"ping"}' };
    expect(texts(read(piece(HIGH), other, piece(`${LOW}B`)))).toEqual([[], [], ["😀", undefined, "B"], []]);
    const plain = ["a", "b", "c", "d", "e"].map((text) => piece(text));
    expect(texts(read(piece(`A${HIGH}`), ...plain)).flat()).toEqual([
      `A${LOST}`,
      ...["a", "b", "c", "d", "e"],
    ]);
  });

  test("it waits for the same field of the same choice", () => {
    const choice = (index: number, text: string) => ({
      event: "message",
      data: `{"choices":[{"index":${index},"delta":{"content":${written(text)}}}]}`,
    });
    const rocket = ["\ud83d", "\ude80"] as const;
    const said = read(choice(0, HIGH), choice(1, rocket[0]), choice(1, rocket[1]), choice(0, LOW)).flat();
    expect(said.map(({ choices }) => choices[0].delta.content)).toEqual(["😀", "🚀", "", ""]);
    expect(
      read(piece(`A${HIGH}`, "reasoning"), piece(HIGH), piece(LOW), STOP, STOP, STOP).flat(),
    ).toMatchObject([{ reasoning: `A${LOST}` }, { content: "😀" }, { content: "" }, ...[{}, {}, {}]]);
  });

  test("a half whose other half never comes becomes U+FFFD", () => {
    expect(texts(read(piece(`A${HIGH}`), STOP))).toEqual([[], [], [`A${LOST}`, undefined]]);
    expect(read(piece(`A${HIGH}`), STOP, DONE)[2]).toHaveLength(3);
    expect(texts(read(piece(`${LOW}B`)))).toEqual([[`${LOST}B`], []]);
    expect(texts(read(piece(`A${HIGH}B`), piece(LOW)))).toEqual([[`A${LOST}B`], [LOST], []]);
  });

  test("a character split in two fields of one piece is joined in both", () => {
    const twice = (text: string) => ({
      event: "message",
      data: `{"content":${written(text)},"again":${written(text)}}`,
    });
    expect(read(twice(HIGH), twice(`${LOW}B`)).flat()).toEqual([
      { content: "😀", again: "😀" },
      { content: "B", again: "B" },
    ]);
  });

  test("together the pieces are the text that was sent, wherever it was split", () => {
    const said = 'a"😀\\😀"\\\\"é😀😀\\u0000" \ud83d';
    for (let first = 0; first <= said.length; first++) {
      for (let second = first; second <= said.length; second++) {
        const cuts = [said.slice(0, first), said.slice(first, second), said.slice(second)];
        const pieces = texts(read(...cuts.map((text) => piece(text)))).flat();
        expect(pieces.join("")).toBe(`${said.slice(0, -1)}${LOST}`);
        expect(pieces.every((text) => text?.isWellFormed())).toBe(true);
      }
    }
  });

  test("more than eight halves in one piece are not joined, and 4,000 take less than 100 ms", () => {
    const many = (count: number, text: string) => ({
      event: "message",
      data: `{"content":[${Array<string>(count)
        .fill(`{"n":${written(text)}}`)
        .join()}]}`,
    });
    expect(read(many(8, HIGH), many(8, LOW)).flat()).toEqual([
      { content: Array(8).fill({ n: "😀" }) },
      { content: Array(8).fill({ n: "" }) },
    ]);
    expect(read(many(9, HIGH), many(9, LOW)).flat()).toEqual([
      { content: Array(9).fill({ n: LOST }) },
      { content: Array(9).fill({ n: LOST }) },
    ]);
    const events = [many(4_000, HIGH), many(4_000, LOW), many(4_000, HIGH), many(8, LOW)];
    const together = () => {
      const pieces = createWholePieces();
      for (const event of events) pieces.push([event]);
      pieces.end();
    };
    expect(fastestMs(together)).toBeLessThan(100);
  });

  test("pieces without half characters pass unchanged", () => {
    const events = [piece("😀"), piece("a\\u")];
    expect(createWholePieces().push(events)).toEqual(events);
    const plain = [piece("a"), piece("é")];
    expect(createWholePieces().push(plain)).toBe(plain);
  });
});
