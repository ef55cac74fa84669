import { afterEach, describe, expect, test } from "bun:test";
import { type RawServer, startRawServer } from "../../../../test/upstream/raw-http.ts";
import { createPublicFetch, UnsentFailure } from "../../outbound/index.ts";
import { startMediaHost } from "../../outbound/public/public-testing.ts";
import { failureFrom, testFetch } from "../../outbound/testing.ts";
import { createGoogleMedia, createXaiMedia } from "../ai-sdk/media/index.ts";
import { createFalProvider, createReplicateProvider } from "../queues/index.ts";
import { callContext, videoRequest } from "./media-testing.ts";

/** Answers every poll, and cuts off every order as soon as it has read it, though the order may have begun. */
let vendor: RawServer;
let orders: number;
async function startVendor(): Promise<string> {
  orders = 0;
  vendor = await startRawServer((side) => {
    if (side.request.method === "GET") return side.respond({ body: "{}" });
    orders += 1;
    side.socket.resetAndDestroy();
  });
  return `http://127.0.0.1:${vendor.port}`;
}
const vendors = [
  ["fal", createFalProvider, "acme/video", { id: "a1" }],
  ["Replicate", createReplicateProvider, "acme/video", { id: "a1" }],
  [
    "Google",
    createGoogleMedia,
    "veo-3.1-lite-generate-preview",
    { operationName: "models/veo/operations/a1" },
  ],
  ["xAI", createXaiMedia, "grok-imagine-video", { requestId: "a1" }],
] as const;

const ways = [
  ["our own connections", { proxies: null, byRuntime: false }],
  ["the runtime's connections", { proxies: null, byRuntime: true }],
] as const;

describe.each(ways)("a video ordered after a poll on %s", (_way, way) => {
  afterEach(() => vendor.close());

  test.each(vendors)(
    "is ordered once from %s, on a new connection, even if the vendor drops it immediately",
    async (_name, create, model, operation) => {
      const settings = { name: "acme", kind: null, baseUrl: await startVendor(), apiKey: "secret-key-1" };
      const { video } = create(settings, { outbound: testFetch({ way }), fetchPublic: createPublicFetch() });
      if (video === undefined) throw new Error("no videos");
      const request = async () => videoRequest();
      await video.poll(model, { operation, request }, callContext()).catch(() => {});
      expect(vendor.connections).toBe(1);
      await failureFrom(video.begin(model, videoRequest(), callContext()));
      expect({ orders, connections: vendor.connections }).toEqual({ orders: 1, connections: 2 });
    },
  );
});

test.each(vendors)(
  "an order to %s that fails on a wrong certificate is an UnsentFailure and reaches nobody",
  async (_name, create, model) => {
    const host = startMediaHost(() => new Response("{}"));
    const settings = {
      name: "acme",
      kind: null,
      baseUrl: `https://127.0.0.1:${host.port}`,
      apiKey: "secret-key-1",
    };
    const { video } = create(settings, { outbound: testFetch(), fetchPublic: createPublicFetch() });
    if (video === undefined) throw new Error("no videos");
    const failure = await failureFrom(video.begin(model, videoRequest(), callContext()));
    expect(failure).toBeInstanceOf(UnsentFailure);
    expect(failure).toMatchObject({
      kind: "unavailable",
      publicMessage: "The model's provider broke off the call.",
    });
    expect(host.seen).toEqual([]);
    await host.close();
  },
);
