import assert from "node:assert/strict";
import { framingOf } from "../../../gateway/src/outbound/http1/answer-framing.ts";
import { parseHead } from "../../../gateway/src/outbound/http1/answer-head.ts";
import { BadAnswer } from "../../../gateway/src/outbound/http1/bad-answer.ts";
import type { Random } from "../../simulation/random.ts";
import { bytesOf, type ParserTarget } from "./parser-target.ts";

type Read = { readonly body: string; readonly isOver: boolean; readonly hasSurplus: boolean };

const HEAD_END = "\r\n\r\n";
const CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

/** Reads the bytes as a connection does: first the head, then the rest in pieces cut at `cuts`. */
function read(bytes: Uint8Array, cuts: readonly number[]): Read | "refused" {
  const headEnd = Buffer.from(bytes).indexOf(HEAD_END);
  if (headEnd < 0) return "refused";
  try {
    const framing = framingOf(parseHead(Buffer.from(bytes.subarray(0, headEnd)).toString("latin1")));
    const rest = bytes.subarray(headEnd + HEAD_END.length);
    const places = [...cuts.map((cut) => Math.min(cut, rest.length)), rest.length];
    let body = "";
    let hasSurplus = false;
    for (const [at, place] of places.entries()) {
      // A copy, because `take` moves bytes within the buffer that it is given.
      const piece = Buffer.from(rest.subarray(places[at - 1] ?? 0, place));
      if (framing.isOver) hasSurplus ||= piece.length > 0;
      else body += Buffer.from(framing.take(piece)).toString("latin1");
    }
    return { body, isOver: framing.isOver, hasSurplus: hasSurplus || framing.hasSurplus };
  } catch (error) {
    if (error instanceof BadAnswer) return "refused";
    throw error;
  }
}

function chunks(random: Random): Uint8Array {
  const sizes = Array.from({ length: random.between(0, 6) }, () => random.between(1, 30));
  const body = sizes.map((size) => `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`).join("");
  const wrong = random.pick(["", "", "\r", "\n", "0", ";x", "-1\r\n", "g"]);
  return Buffer.from(
    `${CHUNKED}${body}${wrong}${random.pick(["0\r\n\r\n", "0\r\na: b\r\n\r\n", "0\r\n", ""])}`,
  );
}

/** HTTP responses of providers, which anything on the way to us may have altered. */
export const answer: ParserTarget = {
  name: "answers of providers",
  seeds: bytesOf(
    `${CHUNKED}3\r\nabc\r\n10;x=y\r\n0123456789abcdef\r\n0\r\nx: y\r\n\r\n`,
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: 1\r\n\r\nhelloHTTP/1.1 200 OK\r\n\r\n",
    "HTTP/1.0 503 No\r\n\r\nuntil the end",
    "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n",
  ),
  make: chunks,
  check(bytes, random) {
    const cuts = Array.from({ length: random.between(0, 6) }, () => random.between(0, bytes.length)).sort(
      (a, b) => a - b,
    );
    const whole = read(bytes, []);
    assert.deepEqual(read(bytes, cuts), whole);
    if (whole !== "refused") assert.ok(whole.isOver || !whole.hasSurplus);
  },
};
