import { describe, expect, test } from "bun:test";
import { framingOf } from "./answer-framing.ts";
import { parseHead } from "./answer-head.ts";
import { BadAnswer } from "./bad-answer.ts";

const head = (...lines: string[]) => parseHead(["HTTP/1.1 200 OK", ...lines].join("\r\n"));

describe("the head of an answer", () => {
  test("header names are lowercased, values trimmed, and repeated headers joined", () => {
    const { status, isHttp10, headers } = head(
      "Content-Type:  text/plain \t",
      "X-A: 1",
      "x-a: 2",
      "X-Empty:",
    );
    expect({ status, isHttp10 }).toEqual({ status: 200, isHttp10: false });
    expect([...headers]).toEqual([
      ["content-type", "text/plain"],
      ["x-a", "1, 2"],
      ["x-empty", ""],
    ]);
    expect([headers.get("x-a"), headers.get("x-b"), headers.has("x-empty"), headers.has("x-b")]).toEqual([
      ...["1, 2", null, true, false],
    ]);
  });

  test.each([
    ["HTTP/1.1 204", 204, false],
    ["HTTP/1.0 503 Service Unavailable", 503, true],
    ["HTTP/1.1 200 ", 200, false],
  ])("%j is a status line", (line, status, isHttp10) => {
    expect(parseHead(line)).toMatchObject({ status, isHttp10 });
  });

  test.each([
    "",
    "HTTP/2 200 OK",
    "HTTP/1.1 20 OK",
    "HTTP/1.1 2000 OK",
    "HTTP/1.1 099 OK",
    "HTTP/1.1 600 OK",
    "http/1.1 200 OK",
    "ICY 200 OK",
  ])("%j is not a status line", (line) => {
    expect(() => parseHead(line)).toThrow(BadAnswer);
  });

  test.each([
    ["no colon", "x"],
    ["no name", ": 1"],
    ["a blank before the colon", "x : 1"],
    ["a folded line", " 1"],
    ["NUL", "x: a\0b"],
    ["a lone CR", "x: a\rb: c"],
    ["a lone LF", "x: a\ncontent-length: 5"],
    ["a name that is no token", "x(y): 1"],
  ])("refuses a header with %s", (_name, line) => {
    expect(() => head(line)).toThrow(BadAnswer);
  });
});

describe("where a body ends", () => {
  const take = (lines: string[], text: string, status = 200) => {
    const framing = framingOf(parseHead([`HTTP/1.1 ${status} OK`, ...lines].join("\r\n")));
    const piece = Buffer.from(framing.take(Buffer.from(text))).toString();
    const { isOver, mayEndHere, hasSurplus } = framing;
    return { piece, isOver, mayEndHere, hasSurplus };
  };

  test.each([
    ["by its length", ["content-length: 3"], "abc", ["abc", true, true, false]],
    ["by its length, and more came", ["content-length: 3"], "abcd", ["abc", true, true, true]],
    ["by its length, and less came", ["content-length: 3"], "ab", ["ab", false, false, false]],
    [
      "by a length that is repeated",
      ["content-length: 3", "content-length: 3"],
      "abc",
      ["abc", true, true, false],
    ],
    ["with its connection", [], "abc", ["abc", false, true, false]],
    ["by its chunks", ["transfer-encoding: Chunked"], "3\r\nabc\r\n0\r\n\r\n", ["abc", true, true, false]],
    [
      "by its chunks, whatever a length says",
      ["content-length: 1", "transfer-encoding: chunked"],
      ...(["3\r\nabc\r\n", ["abc", false, false, false]] as const),
    ],
  ] as const)("%s", (_name, lines, text, [piece, isOver, mayEndHere, hasSurplus]) => {
    expect(take([...lines], text)).toEqual({ piece, isOver, mayEndHere, hasSurplus });
  });

  test.each([204, 304])("immediately with %i", (status) => {
    expect(take(["content-length: 3"], "", status)).toMatchObject({ isOver: true });
  });

  test.each([
    "content-length: -1",
    "content-length: 3, 4",
    "content-length: 0x3",
    "content-length: 3.0",
    "content-length:",
    "content-length: 9999999999999999",
    "transfer-encoding: gzip, chunked",
    "transfer-encoding: identity",
    "transfer-encoding: chunked, chunked",
  ])("%j is ambiguous and is refused", (line) => {
    expect(() => take([line], "")).toThrow(BadAnswer);
  });
});
