import assert from "node:assert/strict";
import { createPageCursors } from "../../../gateway/src/assets/page-cursor.ts";
import { readJson } from "../../../gateway/src/http/body/json-testing.ts";
import { decodeRange } from "../../../gateway/src/http/library/byte-range.ts";
import { createQuery } from "../../../gateway/src/http/query.ts";
import { readBearer } from "../../../gateway/src/identity/authentication/bearer.ts";
import { createKeyCodec } from "../../../gateway/src/identity/index.ts";
import { AppError, createSseParser, type SseEvent, SseOverflow } from "../../../gateway/src/kit/index.ts";
import { retryAfterSecondsOf, sanitise } from "../../../gateway/src/outbound/index.ts";
import { HOSTILE_LITERALS } from "./hostile-values.ts";
import { mutateJson } from "./mutate-json.ts";
import { bytesOf, type ParserTarget, text } from "./parser-target.ts";

const MAX_DEPTH = 64;
const CHAT = { model: "m", messages: [{ role: "user", content: "a\u00e9\u{1f600}" }], n: [1, { a: null }] };

const json: ParserTarget = {
  name: "JSON guard",
  seeds: bytesOf(JSON.stringify(CHAT), ...HOSTILE_LITERALS, '{"a":{"b":[1,2,{"c":"\\u00e9\\\\u0000"}]}}'),
  make: (random) => mutateJson(random, CHAT),
  check(bytes) {
    const reading = readJson(bytes, MAX_DEPTH);
    if (!reading.ok) return;
    // Whatever it accepts, `JSON.parse` must read in the same way and PostgreSQL must be able to store.
    const plain = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    assert.deepEqual(reading.value, JSON.parse(plain));
    assert.doesNotMatch(JSON.stringify(reading.value), /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/);
  },
};

function eventsOf(pieces: readonly Uint8Array[]): (SseEvent | "overflow")[] {
  const parser = createSseParser({ maxLineLength: 512, maxEventLength: 1_024 });
  const events: SseEvent[] = [];
  try {
    for (const piece of pieces) events.push(...parser.push(piece));
    return [...events, ...parser.end()];
  } catch (error) {
    if (error instanceof SseOverflow) return [...events, ...error.events, "overflow"];
    throw error;
  }
}

const sse: ParserTarget = {
  name: "SSE parser",
  seeds: bytesOf(
    'data: {"a":1}\n\ndata: [DONE]\n\n',
    "event: x\r\ndata: é\r\ndata:b\r\n\r\n: hi\rid: 5\rretry: 1\rdata\r\r",
    `data: ${"a".repeat(300)}\n${"data: b\n".repeat(50)}\n`,
  ),
  check(bytes, random) {
    const cuts = Array.from({ length: random.between(0, 5) }, () => random.between(0, bytes.length)).sort(
      (a, b) => a - b,
    );
    const pieces = [...cuts, bytes.length].map((cut, at) => bytes.subarray(cuts[at - 1] ?? 0, cut));
    // The result must not depend on how the bytes are cut into pieces.
    assert.deepEqual(eventsOf(pieces), eventsOf([bytes]));
  },
};

const SECRET = "a secret of at least thirty-two characters";
const ORGANIZATION = "0190e3c2-0000-7000-8000-000000000001";
const cursors = createPageCursors(SECRET);
const PLACE = { createdUs: "1700000000000000", id: "0190e3c2-0000-7000-8000-000000000002" };
const CURSOR = cursors.encode(ORGANIZATION, {}, PLACE);

const cursor: ParserTarget = {
  name: "page cursors",
  seeds: bytesOf(CURSOR, cursors.encode(ORGANIZATION, { type: "image" }, PLACE)),
  check(bytes) {
    const written = text(bytes);
    const place = cursors.decode(ORGANIZATION, {}, written);
    if (written !== CURSOR) assert.equal(place, null);
    assert.equal(cursors.decode(PLACE.id, {}, written), null);
  },
};

const codec = createKeyCodec("svc_live_");
const KEYS = Array.from({ length: 20 }, () => codec.mint());

const key: ParserTarget = {
  name: "keys",
  seeds: bytesOf(...KEYS.map((each) => `Bearer ${each}`), `bearer ${KEYS[0]}`, `Basic ${KEYS[0]}`),
  check(bytes) {
    const written = text(bytes);
    const reading = readBearer(written, codec);
    if (reading.outcome !== "ok") return;
    assert.match(reading.secret, /^svc_live_[0-9A-Za-z]{43}$/);
    assert.equal(written.slice("bearer ".length).replace(/^ +/, ""), reading.secret);
    const check = Bun.hash.crc32(reading.secret.slice(0, -6));
    assert.equal(checksumOf(reading.secret.slice(-6)), check);
  },
};

/** Decoded digit by digit, so that the codec does not check itself. */
function checksumOf(digits: string): number {
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return [...digits].reduce((number, digit) => number * 62 + alphabet.indexOf(digit), 0);
}

const query: ParserTarget = {
  name: "query and range",
  seeds: bytesOf(
    "limit=5&days=7&cursor=abc",
    "limit=1&limit=2",
    "bytes=0-4",
    "bytes=-5",
    "limit=%00&days=%ff",
  ),
  check(bytes) {
    const written = text(bytes);
    const range = decodeRange(written, 10);
    if (typeof range === "object")
      assert.ok(range.start >= 0 && range.length > 0 && range.start + range.length <= 10);
    try {
      const limit = createQuery(written).integer("limit", { min: 1, max: 200, fallback: 50 });
      assert.ok(Number.isInteger(limit) && limit >= 1 && limit <= 200);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      assert.equal(error.status, 400);
    }
  },
};

const upstreamWords: ParserTarget = {
  name: "words of providers",
  seeds: bytesOf(
    "Incorrect API key provided: sk-abc123def456. Find it at https://platform.example.com/keys",
    "Rate limit for org-AbCd1234 at 10.0.0.1:8080: try again in 20s; request id: req_0123456789abcdef",
  ),
  check(bytes) {
    const said = sanitise(Buffer.from(bytes).toString(), []);
    assert.doesNotMatch(said, /\p{Cc}/u);
    assert.ok([...said].length <= 300);
    const headers = new Headers();
    const written = text(bytes).replaceAll(/[^\x20-\x7e]/g, " ");
    headers.set("retry-after", written);
    const seconds = retryAfterSecondsOf(headers, { retryDelay: written, nowMs: 1_700_000_000_000 });
    assert.ok(seconds === null || (Number.isInteger(seconds) && seconds >= 0 && seconds <= 60));
  },
};

export const TEXT_TARGETS: readonly ParserTarget[] = [json, sse, cursor, key, query, upstreamWords];
