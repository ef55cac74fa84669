import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { constants, createGzip } from "node:zlib";
import { chunked, headText, type RawServer, startRawServer } from "../../../test/upstream/raw-http.ts";
import { bodyOf } from "./body.ts";
import { expectEnd } from "./read-body.ts";
import { chatInit, PATIENT, testFetch } from "./testing.ts";

/** `IDLE_MS`: how long is waited after an announced end. `AWAY_MS`: how long a slower reader pauses. */
const IDLE_MS = 40;
const AWAY_MS = 80;

/** Sends the next piece of the answer that is being read. */
let say: (text: string) => Promise<void> = async () => {};
let server: RawServer;
beforeAll(async () => {
  server = await startRawServer(async ({ request, push }) => {
    const { model } = JSON.parse(request.text) as { model: string };
    const isPacked = model === "gzip";
    const encoding: Record<string, string> = isPacked ? { "content-encoding": "gzip" } : {};
    const gzip = createGzip();
    gzip.on("data", (bytes: Buffer) => void push(chunked(bytes)));
    say = async (text) => {
      if (!isPacked) return void (await push(chunked(text)));
      gzip.write(text);
      await new Promise<void>((resolve) => gzip.flush(constants.Z_SYNC_FLUSH, resolve));
    };
    await push(headText(200, { "transfer-encoding": "chunked", ...encoding }));
    await say("the end");
    await new Promise(() => {});
  });
});
afterAll(() => server.close());

const timeouts = { ...PATIENT, idleMs: IDLE_MS };
const WAYS = [
  ["uncompressed", "plain", testFetch({ timeouts })],
  ["compressed", "gzip", testFetch({ timeouts })],
  ["by the runtime's client", "plain", testFetch({ timeouts, way: { proxies: null, byRuntime: true } })],
] as const;

describe.each(WAYS)("after an announced end, %s", (_, model, fetcher) => {
  async function ended() {
    const response = await fetcher(`http://127.0.0.1:${server.port}/v1`, chatInit(model));
    const body = bodyOf(response);
    const read = async () => {
      const piece = await body.read();
      return piece === null ? null : Buffer.from(piece).toString();
    };
    expect(await read()).toBe("the end");
    expectEnd(response);
    return { read };
  }

  test("a piece that has arrived is read, however late its reader comes", async () => {
    const { read } = await ended();
    await say("usage");
    await Bun.sleep(AWAY_MS);
    expect(await read()).toBe("usage");
  });

  test("the body ends after the idle time, even if pieces keep coming", async () => {
    const { read } = await ended();
    const began = performance.now();
    const timer = setInterval(() => void say(":"), IDLE_MS / 4);
    let last: string | null = "";
    while (last !== null) last = await read();
    clearInterval(timer);
    expect(performance.now() - began).toBeGreaterThanOrEqual(IDLE_MS - 5);
  });
});
