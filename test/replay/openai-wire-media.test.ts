import { describe, expect, test } from "bun:test";
import type { MadeFile, Provider } from "../../gateway/src/contract/index.ts";
import type { PublicFetch } from "../../gateway/src/outbound/index.ts";
import { createProviders } from "../../gateway/src/providers/index.ts";
import type { WireVendorName } from "../../gateway/src/providers/wire-vendors-testing.ts";
import { type MediaRecording, mediaRecordings } from "./media-recordings.ts";

const timeouts = { connectMs: 5_000, firstByteMs: 20_000, idleMs: 20_000 };
const context = { requestId: "replay", signal: new AbortController().signal };

type Asked = { readonly path: string; readonly body: Readonly<Record<string, unknown>> };

/** Plays the server of a recording, and the host of the files it refers to. */
async function replayed(recording: MediaRecording, call: (provider: Provider) => Promise<unknown>) {
  const [answer] = recording.exchanges;
  const asked: Asked[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      asked.push({ path: new URL(request.url).pathname, body: (await request.json()) as Asked["body"] });
      return new Response(answer.body, {
        status: answer.status,
        headers: { "content-type": answer.contentType },
      });
    },
  });
  const base = new URL(answer.url).pathname.replace(/\/(images|audio).*$/, "");
  const kind = recording.provider as WireVendorName;
  const baseUrl = `http://127.0.0.1:${server.port}${base}`;
  const settings = { name: "replayed", kind, baseUrl, apiKey: "replayed" };
  try {
    const [provider] = createProviders(new Map([["replayed", settings]]), {
      timeouts,
      fetchPublic: hosting(recording),
    });
    if (provider === undefined) throw new Error("every recorded vendor has an adapter");
    return { made: await call(provider), asked };
  } finally {
    await server.stop(true);
  }
}

function hosting({ exchanges }: MediaRecording): PublicFetch {
  return async (url) => {
    const hosted = exchanges.find((exchange) => exchange.method === "GET" && exchange.url === url);
    if (hosted === undefined) throw new Error("nobody recorded that file");
    return { bytes: hosted.body, mediaType: hosted.contentType };
  };
}

/** The request equals the recorded one, at the same path; ours may have more fields, such as the shape. */
function expectSameQuestion(asked: readonly Asked[], { exchanges: [then] }: MediaRecording): void {
  expect(asked).toHaveLength(1);
  expect(asked[0]?.path).toBe(new URL(then.url).pathname);
  expect(asked[0]?.body).toMatchObject(then.request);
}

const images = mediaRecordings(/\/images(?:\/generations)?$/).filter(
  ({ exchanges: [{ request }] }) => request["input_references"] === undefined,
);
const speech = mediaRecordings(/\/audio\/speech$/);

describe("recorded media answers are decoded", () => {
  test.each(images)("images: $name", async (recording) => {
    const { request } = recording.exchanges[0];
    const { made, asked } = await replayed(recording, async (provider) =>
      provider.image?.makeImages(
        String(request["model"]),
        { prompt: String(request["prompt"]), aspectRatio: "1:1", tier: "1k", n: 1 },
        context,
      ),
    );
    expectSameQuestion(asked, recording);
    const [picture, ...more] = made as readonly MadeFile[];
    expect(more).toEqual([]);
    expect(picture?.mediaType).toMatch(/^image\/(png|jpeg)$/);
    if (request["size"] !== undefined)
      expect(`${picture?.width}x${picture?.height}`).toBe(String(request["size"]));
  });

  test.each(speech)("speech: $name", async (recording) => {
    const { request } = recording.exchanges[0];
    const { made, asked } = await replayed(recording, async (provider) =>
      provider.speech?.speak(
        String(request["model"]),
        { lines: [{ voice: String(request["voice"]), text: String(request["input"]) }], speed: 1 },
        context,
      ),
    );
    expectSameQuestion(asked, recording);
    expect(made).toMatchObject({ mediaType: "audio/mpeg", width: null });
  });

  test("there are three of each, if the recordings are present", () => {
    if (images.length + speech.length === 0) console.log("replay openai-wire-media: no recordings here");
    else expect([images.length, speech.length]).toEqual([3, 3]);
  });
});
