import { afterAll, afterEach, expect, test } from "bun:test";
import { startRawServer } from "../../../test/upstream/raw-http.ts";
import { UnsentFailure } from "./failures/network-failure.ts";
import { createOutboundFetch } from "./outbound-fetch.ts";
import { startMediaHost } from "./public/public-testing.ts";
import { readText } from "./read-body.ts";
import { createRetrier } from "./retry.ts";
import { StreamedBody } from "./streamed-body.ts";
import { failureFrom, never, testFetch } from "./testing.ts";

const outbound = createOutboundFetch({
  timeouts: { connectMs: 10_000, firstByteMs: 60_000, idleMs: 60_000 },
  maxBodyBytes: 1 << 20,
  provider: "test",
});
const PIECE = 100_000;
const COUNT = 40;
const EXPECTED = Bun.hash(Buffer.concat(Array.from({ length: COUNT }, (_, at) => pieceOf(at)))).toString();

function pieceOf(at: number): Buffer<ArrayBuffer> {
  return Buffer.alloc(PIECE, `${at}-`);
}

async function* pieces(): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  for (let at = 0; at < COUNT; at++) yield pieceOf(at);
}

type Got = { readonly length: string | null; readonly encoding: string | null; readonly hash: string };
const got: Got[] = [];
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const { headers } = request;
    const hash = Bun.hash(await request.bytes()).toString();
    got.push({ length: headers.get("content-length"), encoding: headers.get("transfer-encoding"), hash });
    return new Response("taken");
  },
});
afterAll(() => server.stop(true));
afterEach(() => void got.splice(0));

const send = (body: StreamedBody, signal = new AbortController().signal) =>
  outbound(server.url.href, { method: "POST", headers: {}, body, signal });
const WHOLE: Got = { length: String(PIECE * COUNT), encoding: null, hash: EXPECTED };

test("a streamed body arrives complete, with a content-length, and can be sent again", async () => {
  const body = new StreamedBody(PIECE * COUNT, pieces);
  for (let time = 0; time < 2; time++) expect(await readText(await send(body), 100)).toBe("taken");
  expect(got).toEqual([WHOLE, WHOLE]);
});

test("a body whose source fails counts as unsent, and is retried from its beginning", async () => {
  let opened = 0;
  const body = new StreamedBody(PIECE * COUNT, async function* () {
    opened++;
    let at = 0;
    for await (const piece of pieces()) {
      if (opened === 1 && at++ === 20) throw new Error("the disk is gone");
      yield piece;
    }
  });
  const response = await createRetrier().run(() => send(body), new AbortController().signal);
  expect(await readText(response, 100)).toBe("taken");
  expect([opened, got.at(-1)]).toEqual([2, WHOLE]);
  const broken = new StreamedBody(10, async function* () {
    yield* [];
    throw new Error("the disk is gone");
  });
  expect(await failureFrom(send(broken))).toBeInstanceOf(UnsentFailure);
});

test("an aborted call closes the source of its body", async () => {
  const stop = new AbortController();
  const closed = Promise.withResolvers<number>();
  let made = 0;
  const body = new StreamedBody(PIECE * 1_000, async function* () {
    try {
      for (; ; made++) {
        if (made === 5) stop.abort(new Error("enough"));
        yield pieceOf(1);
      }
    } finally {
      closed.resolve(made);
    }
  });
  await expect(send(body, stop.signal)).rejects.toThrow("enough");
  expect(await closed.promise).toBeLessThan(1_000);
});

test("a failure before the body was taken is unsent; a reset after it is not", async () => {
  const untrusted = startMediaHost(() => new Response("{}"));
  const body = new StreamedBody(3, async function* () {
    yield new Uint8Array(3);
  });
  const sendTo = (url: string) =>
    failureFrom(testFetch()(url, { method: "POST", headers: {}, body, signal: never() }));
  expect(await sendTo(`https://127.0.0.1:${untrusted.port}/`)).toBeInstanceOf(UnsentFailure);
  await untrusted.close();
  const forgetful = await startRawServer(({ socket }) => void socket.resetAndDestroy());
  expect(await sendTo(`http://127.0.0.1:${forgetful.port}/`)).not.toBeInstanceOf(UnsentFailure);
  await forgetful.close();
});
