import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { type Exchange, type RawServer, startRawServer } from "../../../../test/upstream/raw-http.ts";
import { ProviderFailure, UnusableFile } from "../../contract/index.ts";
import { AbsentFile, createPublicFetch, EXCESS, UnsafeAddress } from "../../outbound/index.ts";
import { failureFrom, never } from "../../outbound/testing.ts";
import { createFalProvider } from "../queues/index.ts";
import { fetchWithBackoff } from "./backoff-fetch.ts";
import { fetchHosted } from "./hosted-file.ts";
import { callContext, startMediaVendor, tinyPng } from "./media-testing.ts";

const HICCUPS: readonly (readonly [string, (side: Exchange) => void])[] = [
  ["answers 503", (side) => side.respond({ status: 503, body: "" })],
  ["answers 404", (side) => side.respond({ status: 404, body: "" })],
  ["resets the connection", (side) => side.socket.resetAndDestroy()],
  [
    "cuts the body short",
    (side) => void side.socket.end("HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\nhalf of i"),
  ],
];

test.each(HICCUPS)(
  "a made file whose host %s once is fetched at the second attempt",
  async (_name, hiccup) => {
    let asked = 0;
    const host: RawServer = await startRawServer((side) => {
      asked += 1;
      if (asked === 1) hiccup(side);
      else side.respond({ body: tinyPng() });
    });
    const address = `127.0.0.1:${host.port}`;
    const fetchPublic = createPublicFetch({ privateHosts: [address] });
    const how = { fetchPublic, signal: never() };
    expect((await fetchHosted(`http://${address}/p.png`, "image", how)).mediaType).toBe("image/png");
    expect(asked).toBe(2);
    await host.close();
  },
);

test.each(["https://v3.fal.media/p.png", "/p.png"])(
  "an image that the SDK fetches from %s survives one failed fetch, without a second order",
  async (address) => {
    let asked = 0;
    const vendor = startMediaVendor(
      ({ method }, origin) => {
        if (method === "POST") return Response.json({ images: [{ url: new URL(address, origin).href }] });
        asked += 1;
        return asked === 1 ? new Response("", { status: 503 }) : new Response(Buffer.from(tinyPng()));
      },
      {
        hosted: async () => {
          asked += 1;
          if (asked === 1) throw new AbsentFile("status 404");
          return { bytes: Buffer.from(tinyPng()), mediaType: "image/png" };
        },
      },
    );
    const { image } = vendor.provider(createFalProvider);
    const request = { prompt: "a cat", aspectRatio: "16:9", tier: "1k", n: 1 } as const;
    expect(await image?.makeImages("fal-ai/flux/schnell", request, callContext())).toHaveLength(1);
    expect(asked).toBe(2);
    expect(vendor.sent.filter(({ method }) => method === "POST")).toHaveLength(1);
    vendor.close();
  },
);

const DOWN = new ProviderFailure("unavailable", "down");

const STEP_MS = 50;

/** Always fails with `error`; each try takes `tryMs`. */
function failing(error: unknown, tryMs = 0) {
  const leftMs: number[] = [];
  return {
    leftMs,
    fetchFile: async (left: number) => {
      // Rounded, because the clock's steps add a little.
      leftMs.push(Math.round(left / STEP_MS) * STEP_MS);
      jest.advanceTimersByTime(tryMs);
      throw error;
    },
  };
}

/** Lets the pauses pass until the work has ended. */
async function afterPauses<End>(work: Promise<End>): Promise<End> {
  let isOver = false;
  void work.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  while (!isOver) {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    jest.advanceTimersByTime(STEP_MS);
  }
  return work;
}

describe("fetchPatiently", () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test("gives up after four attempts that share the time of one", async () => {
    const { fetchFile, leftMs } = failing(DOWN);
    const work = fetchWithBackoff(fetchFile, { withinMs: 10_000, signal: never() });
    expect(await failureFrom(afterPauses(work))).toBe(DOWN);
    expect(DOWN.mayBeMade).toBe(true);
    expect(leftMs).toEqual([10_000, 9_950, 9_450, 6_950]);
  });

  test("makes no further attempt once the time is used up", async () => {
    const { fetchFile, leftMs } = failing(DOWN, 6_000);
    const work = fetchWithBackoff(fetchFile, { withinMs: 10_000, signal: never() });
    expect(await failureFrom(afterPauses(work))).toBe(DOWN);
    expect(leftMs).toEqual([10_000, 3_950]);
  });

  test.each([
    ["a private address", new UnsafeAddress("inside")],
    ["not an image", new UnusableFile("no picture", "html")],
    ["too large", new ProviderFailure("unavailable", "too much", EXCESS)],
    ["our own error", new Error("ours")],
  ])("does not retry a failure that would repeat: %s", async (_name, error) => {
    const { fetchFile, leftMs } = failing(error);
    await expect(fetchWithBackoff(fetchFile, { withinMs: 10_000, signal: never() })).rejects.toBe(error);
    expect(leftMs).toHaveLength(1);
  });

  test("ends with the abort reason if aborted during a pause", async () => {
    const controller = new AbortController();
    const { fetchFile, leftMs } = failing(DOWN);
    const work = fetchWithBackoff(fetchFile, { withinMs: 10_000, signal: controller.signal });
    queueMicrotask(() => controller.abort("gone"));
    await expect(work).rejects.toBe("gone");
    expect(leftMs).toHaveLength(1);
  });
});
