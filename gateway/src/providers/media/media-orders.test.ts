import { afterEach, describe, expect, test } from "bun:test";
import { type RawServer, startRawServer } from "../../../../test/upstream/raw-http.ts";
import type { Provider } from "../../contract/index.ts";
import { createPublicFetch, type OutboundFetch, type WaysOut } from "../../outbound/index.ts";
import { failureFrom, testFetch } from "../../outbound/testing.ts";
import { createGoogleMedia, createXaiMedia } from "../ai-sdk/media/index.ts";
import { createOpenAiWireProvider } from "../openai-wire/index.ts";
import { createElevenLabsProvider, createFalProvider, createReplicateProvider } from "../queues/index.ts";
import type { ProviderSettings } from "../settings.ts";
import { WIRE_VENDORS } from "../wire-vendors-testing.ts";
import { callContext } from "./media-testing.ts";

type Media = Pick<Provider, "image" | "speech" | "music">;
type Order = (media: Media) => Promise<unknown> | undefined;

/** A name for which Google's library uses the endpoint for images; the others do not distinguish names. */
const MODEL = "gemini-image";

const picture: Order = ({ image }) =>
  image?.makeImages(MODEL, { prompt: "a cat", aspectRatio: "1:1", tier: "1k", n: 1 }, callContext());
const voice: Order = ({ speech }) =>
  speech?.speak(MODEL, { lines: [{ voice: "ava", text: "Hello." }], speed: 1 }, callContext());
const song: Order = ({ music }) =>
  music?.compose(
    MODEL,
    { prompt: "a march", style: "folk", durationMs: 12_000, referenceImages: [] },
    callContext(),
  );

const createWire = (settings: ProviderSettings, ways: WaysOut) =>
  createOpenAiWireProvider(settings, WIRE_VENDORS["openai-wire"], ways);

const orders = [
  ["an OpenAI-wire image", createWire, picture],
  ["OpenAI-wire speech", createWire, voice],
  ["a fal image", createFalProvider, picture],
  ["fal speech", createFalProvider, voice],
  ["fal music", createFalProvider, song],
  ["a Replicate image", createReplicateProvider, picture],
  ["Replicate music", createReplicateProvider, song],
  ["a Google image", createGoogleMedia, picture],
  ["Google speech", createGoogleMedia, voice],
  ["Google music", createGoogleMedia, song],
  ["ElevenLabs speech", createElevenLabsProvider, voice],
  ["ElevenLabs music", createElevenLabsProvider, song],
  ["xAI speech", createXaiMedia, voice],
] as const;

/** Answers the first order with nothing useful, and cuts off every later one as soon as it has read it. */
let vendor: RawServer;
let taken: number;
async function startVendor(outbound: OutboundFetch, create: (typeof orders)[number][1]): Promise<Media> {
  taken = 0;
  vendor = await startRawServer((side) => {
    taken += 1;
    if (taken === 1) side.respond({ body: "{}" });
    else side.socket.resetAndDestroy();
  });
  const settings = { name: "acme", kind: null, baseUrl: `http://127.0.0.1:${vendor.port}`, apiKey: "key-1" };
  return create(settings, { outbound, fetchPublic: createPublicFetch() });
}

const ways = [
  ["our own connections", { proxies: null, byRuntime: false }],
  ["the runtime's connections", { proxies: null, byRuntime: true }],
] as const;

describe.each(ways)("on %s", (_way, way) => {
  afterEach(() => vendor.close());

  test.each(orders)(
    "an order for %s is sent once, on a new connection, even if the vendor drops it immediately",
    async (_name, create, order) => {
      const media = await startVendor(testFetch({ way }), create);
      await failureFrom(Promise.resolve(order(media)));
      expect(taken).toBe(1);
      await failureFrom(Promise.resolve(order(media)));
      expect({ taken, connections: vendor.connections }).toEqual({ taken: 2, connections: 2 });
    },
  );
});

test("an OpenAI-wire order that was never sent is retried once", async () => {
  let tries = 0;
  const outbound = testFetch();
  const media = await startVendor((url, init) => {
    tries += 1;
    return outbound(url, init);
  }, createWire);
  await vendor.close();
  await failureFrom(Promise.resolve(picture(media)));
  expect(tries).toBe(2);
});
