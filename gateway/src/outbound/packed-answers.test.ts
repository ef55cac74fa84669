import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Transform } from "node:stream";
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createGzip,
  createZstdCompress,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { chunked, headText, type RawServer, startRawServer } from "../../../test/upstream/raw-http.ts";
import { bodyOf } from "./body.ts";
import { readJson, readText } from "./read-body.ts";
import { chatInit, failureFrom, testFetch } from "./testing.ts";

type Packing = {
  pack(bytes: Uint8Array): Uint8Array;
  stream(): Transform & { flush(kind: number, done: () => void): void };
  readonly flush: number;
};

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = constants;
/** The largest window that a decoder accepts, hence the most unpacked data that it can be made to keep. */
const WIDE = { params: { [constants.ZSTD_c_windowLog]: 27 } };
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

const PACKINGS: Readonly<Record<string, Packing>> = {
  gzip: { pack: gzipSync, stream: createGzip, flush: Z_SYNC_FLUSH },
  deflate: { pack: deflateSync, stream: createDeflate, flush: Z_SYNC_FLUSH },
  br: {
    pack: (bytes) => brotliCompressSync(bytes, QUICK),
    stream: createBrotliCompress,
    flush: BROTLI_OPERATION_FLUSH,
  },
  zstd: { pack: (bytes) => zstdCompressSync(bytes, WIDE), stream: createZstdCompress, flush: ZSTD_e_flush },
};

const MAX = 1 << 20;
const ANSWER = { object: "chat.completion", text: "a fine answer, ".repeat(1000) };
const BOMB = new Uint8Array(32 << 20);

function packed(model: string, packing: Packing): Uint8Array {
  if (model === "bomb") return packing.pack(BOMB);
  const whole = packing.pack(Buffer.from(JSON.stringify(ANSWER)));
  return model === "cut" ? whole.subarray(0, -4) : whole;
}

let server: RawServer;
beforeAll(async () => {
  server = await startRawServer(async ({ request, push }) => {
    const { model } = JSON.parse(request.text) as { model: string };
    const name = request.path.slice(1);
    const packing = PACKINGS[name.toLowerCase()];
    if (packing === undefined) throw new Error(`nothing packs as ${name}`);
    await push(headText(200, { "transfer-encoding": "chunked", "content-encoding": name }));
    if (model !== "stream") {
      await push(chunked(packed(model, packing)));
      return void (await push("0\r\n\r\n"));
    }
    const stream = packing.stream();
    stream.on("data", (bytes: Buffer) => void push(chunked(bytes)));
    stream.write("data: the first\n\n");
    stream.flush(packing.flush, () => {});
    await new Promise(() => {});
  });
});
afterAll(() => server.close());

const maxBodyBytes = BOMB.byteLength;
const WAYS = [
  ["on our own connections", testFetch({ maxBodyBytes })],
  ["by the runtime's client", testFetch({ maxBodyBytes, way: { proxies: null, byRuntime: true } })],
] as const;

describe.each(WAYS)("an answer that is compressed unasked, %s", (_, fetcher) => {
  const ask = (name: string, model: string) =>
    fetcher(`http://127.0.0.1:${server.port}/${name}`, chatInit(model));

  test.each(Object.keys(PACKINGS))("as %s is decoded", async (name) => {
    expect(await readJson(await ask(name, "whole"), MAX)).toEqual(ANSWER);
    expect(await readJson(await ask(name.toUpperCase(), "whole"), MAX)).toEqual(ANSWER);
  });

  test.each(Object.keys(PACKINGS))("as %s is decoded while it is still being sent", async (name) => {
    const body = bodyOf(await ask(name, "stream"));
    expect(Buffer.from((await body.read()) ?? []).toString()).toBe("data: the first\n\n");
    body.cancel();
  });

  test.each(Object.keys(PACKINGS))("as %s is unavailable if it breaks off", async (name) => {
    expect((await failureFrom(readText(await ask(name, "cut"), MAX))).kind).toBe("unavailable");
  });

  test.each(Object.keys(PACKINGS))("as %s is unpacked no further than any answer shrinks", async (name) => {
    const body = bodyOf(await ask(name, "bomb"));
    let bytes = 0;
    const reading = async () => {
      for (let piece = await body.read(); piece !== null; piece = await body.read())
        bytes += piece.byteLength;
    };
    expect((await failureFrom(reading())).detail.isExcess).toBe(true);
    expect(bytes).toBeLessThan(10 << 20);
  });

  test.each(Object.keys(PACKINGS))("as %s is unpacked only up to the limit", async (name) => {
    const response = await ask(name, "bomb");
    Bun.gc(true);
    const before = process.memoryUsage.rss();
    expect((await failureFrom(readText(response, MAX))).detail.internal).toContain("body over");
    expect(process.memoryUsage.rss() - before).toBeLessThan(16 << 20);
  });
});
