import { afterEach, describe, expect, jest, test } from "bun:test";
import { type MusicRequest, ProviderFailure } from "../../contract/index.ts";
import { failureFrom } from "../../outbound/testing.ts";
import { createGoogleMedia } from "../ai-sdk/media/index.ts";
import { createEmbeddedMedia } from "../media/embedded-media.ts";
import {
  callContext,
  expectWashed,
  type MediaVendor,
  silentMp3,
  silentWav,
  startMediaVendor,
} from "../media/media-testing.ts";
import { createElevenLabsProvider } from "./elevenlabs.ts";
import { createFalProvider } from "./fal.ts";
import type { RemoteWork, WorkState } from "./remote-work.ts";
import { createReplicateProvider } from "./replicate.ts";
import { createWorkMusic } from "./work-music.ts";

const SONG: MusicRequest = { prompt: "a march", style: "folk", durationMs: 12_000, referenceImages: [] };

/** A vendor whose polls return these states in turn, the last one repeatedly. */
function composing(
  states: readonly (WorkState | ProviderFailure)[],
  looked: { count: number } = { count: 0 },
) {
  const work: RemoteWork = {
    embedded: createEmbeddedMedia(),
    start: async () => "order-1",
    poll: async () => {
      const now = states[Math.min(looked.count, states.length - 1)];
      looked.count += 1;
      if (now === undefined || now instanceof ProviderFailure) throw now;
      return now;
    },
  };
  const music = createWorkMusic({
    work,
    encode: (_upstreamModel, { prompt }) => ({ prompt }),
    decidesLength: () => false,
    fetchPublic: async () => ({
      bytes: Buffer.from(silentMp3()),
      mediaType: "audio/mpeg",
    }),
    secrets: ["canary-of-a-key"],
    firstWaitMs: 1,
  });
  return (signal?: AbortSignal) => music.compose("m", SONG, callContext(signal));
}

const DONE: WorkState = { state: "done", output: { audio: { url: "https://cdn.test/s.mp3" } } };
const DOWN = new ProviderFailure("unavailable", "down");

describe("ordered music", () => {
  test("is polled until it is done", async () => {
    const looked = { count: 0 };
    const compose = composing(
      [{ state: "queued" }, { state: "running" }, { state: "running" }, DONE],
      looked,
    );
    expect((await compose()).mediaType).toBe("audio/mpeg");
    expect(looked.count).toBe(4);
  });

  test("is polled less and less often, down to every five seconds, however long it takes", async () => {
    jest.useFakeTimers();
    const looked = { count: 0 };
    const controller = new AbortController();
    const work = composing([{ state: "running" }], looked)(controller.signal);
    const inMinutes: number[] = [];
    for (let minute = 0; minute < 5; minute++) {
      const before = looked.count;
      for (let second = 0; second < 60; second++) {
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        jest.advanceTimersByTime(1_000);
      }
      inMinutes.push(looked.count - before);
    }
    const [first, ...later] = inMinutes;
    expect(first).toBeGreaterThan(12);
    expect(later).toEqual([12, 12, 12, 12]);
    controller.abort(new Error("gone"));
    await expect(work).rejects.toThrow("gone");
  });

  test("survives polls that fail in between", async () => {
    expect((await composing([DOWN, DOWN, { state: "running" }, DOWN, DOWN, DONE])()).durationMs).toBe(104);
  });

  test("fails immediately if a poll is refused", async () => {
    const looked = { count: 0 };
    const compose = composing([new ProviderFailure("unauthorized", "no")], looked);
    expect((await failureFrom(compose())).kind).toBe("unauthorized");
    expect(looked.count).toBe(1);
  });

  test("that the vendor fails to make is unavailable, or rejected if its content is the reason", async () => {
    const failed = (text: string) => failureFrom(composing([{ state: "failed", text }])());
    const broken = await failed("worker at 10.0.0.3 died of canary-of-a-key");
    expect(broken).toMatchObject({
      kind: "unavailable",
      publicMessage: "worker at [hidden] died of [hidden]",
    });
    expect((await failed("Lyrics violate the content policy")).kind).toBe("rejected");
    expectWashed((await failed("")).publicMessage);
  });

  test("that the vendor refuses is rejected in the vendor's words", async () => {
    const compose = composing([{ state: "failed", text: "duration: must be 5 or 10", reason: "rejected" }]);
    expect(await failureFrom(compose())).toMatchObject({
      kind: "rejected",
      publicMessage: "duration: must be 5 or 10",
    });
  });

  test("that ends without audio is the vendor's failure", async () => {
    expect((await failureFrom(composing([{ state: "done", output: { ok: true } }])())).kind).toBe(
      "unavailable",
    );
  });

  test("ends with the caller's own reason when it is aborted", async () => {
    const controller = new AbortController();
    const work = composing([{ state: "running" }])(controller.signal);
    controller.abort(new Error("gone"));
    await expect(work).rejects.toThrow("gone");
  });
});

let vendor: MediaVendor | undefined;
afterEach(() => {
  jest.useRealTimers();
  vendor?.close();
});

describe("music vendors", () => {
  test("fal gets the length in each model's own field, or in the prompt", async () => {
    vendor = startMediaVendor(({ method, path }, origin) => {
      if (path === "/s.wav") return new Response(Buffer.from(silentWav()));
      if (method === "POST") return Response.json({ request_id: "1" });
      if (path.endsWith("/status")) return Response.json({ status: "COMPLETED" });
      return Response.json({ audio: { url: `${origin}/s.wav`, content_type: "audio/wav" } });
    });
    const { music } = vendor.provider(createFalProvider);
    const models = ["fal-ai/stable-audio-25/text-to-audio", "fal-ai/elevenlabs/music", "fal-ai/lyria2"];
    const made = await Promise.all(models.map((model) => music?.compose(model, SONG, callContext())));
    expect(made.map((file) => file?.mediaType)).toEqual(["audio/wav", "audio/wav", "audio/wav"]);
    const bodies = vendor.sent.filter(({ method }) => method === "POST").map(({ body }) => body);
    expect(bodies).toContainEqual({ prompt: "a march\nStyle: folk.", seconds_total: 12 });
    expect(bodies).toContainEqual({ prompt: "a march\nStyle: folk.", music_length_ms: 12_000 });
    expect(bodies).toContainEqual({ prompt: "a march\nStyle: folk.\nLength: 12 seconds." });
  });

  test.each([
    ["fal-ai/ace-step", "tags"],
    ["fal-ai/ace-step/prompt-to-audio", "prompt"],
  ])("%s gets the prompt as %s", async (model, field) => {
    vendor = startMediaVendor(() => Response.json({ detail: "enough" }, { status: 422 }));
    const { music } = vendor.provider(createFalProvider);
    await failureFrom(Promise.resolve(music?.compose(model, SONG, callContext())));
    expect(vendor.sent[0]?.body).toEqual({ [field]: "a march\nStyle: folk.", duration: 12 });
  });

  test("Replicate gets the length in seconds", async () => {
    vendor = startMediaVendor(({ method, path }, origin) => {
      if (path === "/s.mp3") return new Response(Buffer.from(silentMp3()));
      if (method === "POST") return Response.json({ id: "abc", status: "starting" });
      return Response.json({ id: "abc", status: "succeeded", output: `${origin}/s.mp3` });
    });
    const { music } = vendor.provider(createReplicateProvider);
    const made = await music?.compose("stability-ai/stable-audio-2.5", SONG, callContext());
    expect(made?.mediaType).toBe("audio/mpeg");
    expect(vendor.sent[0]?.body).toEqual({ input: { prompt: "a march\nStyle: folk.", duration: 12 } });
  });

  test("ElevenLabs responds with the song itself", async () => {
    vendor = startMediaVendor(() => new Response(Buffer.from(silentMp3(460))));
    const { music } = vendor.provider(createElevenLabsProvider);
    const made = await music?.compose("music_v1", SONG, callContext());
    expect(made).toMatchObject({ mediaType: "audio/mpeg", durationMs: 12_016 });
    expect(vendor.sent[0]).toMatchObject({
      path: "/v1/music",
      body: { prompt: "a march\nStyle: folk.", music_length_ms: 12_000, model_id: "music_v1" },
    });
    expect(vendor.sent[0]?.headers.get("xi-api-key")).toBe("secret-key-1");
  });

  test.each([
    [400, { detail: { status: "bad_prompt", message: "names an artist" } }, "rejected"],
    [401, { detail: { status: "invalid_api_key", message: "key secret-key-1" } }, "unauthorized"],
    [429, { detail: { status: "too_many_concurrent_requests", message: "wait" } }, "rate_limited"],
    [200, "<html>", "unavailable"],
  ])("ElevenLabs: %d becomes a failure of the right kind, without secrets", async (status, body, kind) => {
    vendor = startMediaVendor(() => Response.json(body, { status: Number(status) }));
    const { music } = vendor.provider(createElevenLabsProvider);
    const failure = await failureFrom(Promise.resolve(music?.compose("music_v1", SONG, callContext())));
    expect(failure.kind).toBe(kind as ProviderFailure["kind"]);
    expectWashed(failure.publicMessage);
  });

  test("fal, Replicate and ElevenLabs refuse reference images before a call", async () => {
    vendor = startMediaVendor(() => Response.json({}));
    const referenceImages = [{ bytes: new Uint8Array(1), mediaType: "image/png" }];
    for (const factory of [createFalProvider, createReplicateProvider, createElevenLabsProvider]) {
      const { music } = vendor.provider(factory);
      const work = music?.compose("m", { ...SONG, referenceImages }, callContext());
      expect((await failureFrom(Promise.resolve(work))).kind).toBe("rejected");
    }
    expect(vendor.sent).toHaveLength(0);
  });

  test.each([
    [createFalProvider, "fal-ai/stable-audio-25/text-to-audio", false],
    [createFalProvider, "fal-ai/elevenlabs/music", false],
    [createFalProvider, "fal-ai/minimax-music", true],
    [createReplicateProvider, "meta/musicgen", false],
    [createReplicateProvider, "stability-ai/stable-audio-2.5", false],
    [createReplicateProvider, "minimax/music-1.5", true],
    [createElevenLabsProvider, "music_v1", false],
    [createGoogleMedia, "lyria-3-clip-preview", true],
  ])("%p: %s decides the length of its music: %p", (create, model, expected) => {
    vendor = startMediaVendor(() => Response.json({}));
    const { music } = vendor.provider(create);
    expect(music?.decidesLength?.(model) ?? false).toBe(expected);
  });

  test.each([
    ["minimax/music-1.5", true],
    ["meta/musicgen", false],
  ])("Replicate: %s gets the length in the prompt, for want of a field: %p", async (model, isTold) => {
    vendor = startMediaVendor(() => Response.json({}, { status: 422 }));
    const { music } = vendor.provider(createReplicateProvider);
    await failureFrom(Promise.resolve(music?.compose(model, SONG, callContext())));
    expect(JSON.stringify(vendor.sent[0]?.body).includes("Length: 12 seconds.")).toBe(isTold);
  });
});
