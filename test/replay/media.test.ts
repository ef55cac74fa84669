import { afterEach, describe, expect, test } from "bun:test";
import type { Provider, VideoProvider, VideoRequest, VideoState } from "../../gateway/src/contract/index.ts";
import { createPublicFetch } from "../../gateway/src/outbound/index.ts";
import { createProviders } from "../../gateway/src/providers/index.ts";
import { hasFixtures } from "./fixtures-folder.ts";
import { exchangesOf, type ReplayedVendor, startReplayedVendor } from "./media-exchanges.ts";

let vendor: ReplayedVendor | undefined;
afterEach(() => vendor?.stop());

const timeouts = { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000 };
const context = { requestId: "replay", signal: new AbortController().signal };

function replaying(name: string, recording: string, basePath: string): Provider {
  vendor = startReplayedVendor(exchangesOf(recording), basePath);
  const settings = { name, kind: null, baseUrl: vendor.baseUrl, apiKey: "key-of-replay" };
  // Nothing outside this machine is contacted, not even to resolve a name.
  const fetchPublic = createPublicFetch({
    resolve: async () => {
      throw new Error("no names in a test");
    },
  });
  const [provider] = createProviders(new Map([[name, settings]]), { timeouts, fetchPublic });
  if (provider === undefined) throw new Error("no provider");
  return provider;
}

const VIDEO: VideoRequest = {
  task: "text_to_video",
  prompt: "a calm ocean wave at sunset",
  durationMs: 4_000,
  resolution: "480p",
  aspectRatio: "16:9",
  sound: false,
  draft: false,
  keepAudio: false,
  seed: null,
  referenceImage: null,
  referenceVideo: null,
  referenceAudio: null,
};
const MAX_LOOKS = 40;

/** All states from start to end, polled as often as in the recording. */
async function statesOf(video: VideoProvider | undefined, model: string): Promise<readonly VideoState[]> {
  if (video === undefined) throw new Error("no videos");
  const operation = await video.begin(model, VIDEO, context);
  const kept = JSON.parse(JSON.stringify(operation));
  const states: VideoState[] = [];
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const state = await video.poll(model, { operation: kept, request: async () => VIDEO }, context);
    states.push(state);
    if (state.state === "succeeded" || state.state === "failed") break;
  }
  return states;
}

describe.if(hasFixtures)("recorded media", () => {
  test("an image of Gemini is decoded", async () => {
    const { image } = replaying(
      "google",
      "google/ruby_llm/image_basic_functionality_gemini_gemini-3_1-flash-lite-image_can_paint_images.json",
      "/v1beta",
    );
    const request = { prompt: "a siamese cat", aspectRatio: "1:1", tier: "1k", n: 1 } as const;
    const made = await image?.makeImages("gemini-3.1-flash-lite-image", request, context);
    expect(made).toMatchObject([{ mediaType: "image/jpeg" }]);
  });

  test("speech of Gemini becomes a WAV file with a duration", async () => {
    const { speech } = replaying(
      "google",
      "google/ruby_llm/speech_basic_functionality_gemini_gemini-2_5-flash-preview-tts_can_speak.json",
      "/v1beta",
    );
    const lines = [{ voice: "Kore", text: "Ruby is a programming language." }];
    const made = await speech?.speak("gemini-2.5-flash-preview-tts", { lines, speed: 1 }, context);
    expect(made?.mediaType).toBe("audio/wav");
    expect(made?.durationMs).toBeGreaterThan(0);
  });

  test("a video of Veo is followed from its order over a redirect to its bytes", async () => {
    const { video } = replaying(
      "google",
      "google/ruby_llm/video_basic_functionality_gemini_veo-3_1-lite-generate-preview_can_animate_videos.json",
      "/v1beta",
    );
    const states = await statesOf(video, "veo-3.1-lite-generate-preview");
    expect(states.slice(0, -1).every(({ state }) => state === "running")).toBeTrue();
    expect(states.at(-1)).toMatchObject({ state: "succeeded", file: { mediaType: "video/mp4" } });
    expect(vendor?.played()).toBe(8);
  });

  test("a video of Grok is followed from its order to its file", async () => {
    const { video } = replaying(
      "xai",
      "xai/ruby_llm/video_basic_functionality_xai_grok-imagine-video_can_animate_videos.json",
      "/v1",
    );
    const states = await statesOf(video, "grok-imagine-video");
    expect(states.at(-1)).toMatchObject({ state: "succeeded", file: { mediaType: "video/mp4" } });
    expect(states.length).toBeGreaterThan(2);
  });

  test("speech of Grok is decoded", async () => {
    const { speech } = replaying(
      "xai",
      "xai/ruby_llm/speech_basic_functionality_xai_grok-tts_can_speak.json",
      "/v1",
    );
    const lines = [{ voice: null, text: "Ruby is a programming language." }];
    const made = await speech?.speak("grok-tts", { lines, speed: 1 }, context);
    expect(made?.mediaType).toBe("audio/mpeg");
  });

  test("an order of Replicate is followed until its file, which cannot be fetched", async () => {
    const { video } = replaying("replicate", "replicate/replicate-python/run.json", "/v1");
    const model = "stability-ai/sdxl:39ed52f2a78e934b3ba6e2a89f5b1c712de7dfea535525255b1aa35c5565e08b";
    const operation = await video?.begin(model, VIDEO, context);
    expect(operation).toEqual({ id: "azaq55dbukgxg6kubr4k6g3pby" });
    const seen = new Set<string>();
    const poll = () =>
      video?.poll(model, { operation: operation ?? {}, request: async () => VIDEO }, context);
    // The result is a list of files, on a host that does not exist in a test.
    let end: unknown = null;
    for (let looks = 0; looks < MAX_LOOKS && end === null; looks += 1) {
      const state = await Promise.resolve(poll()).catch((error: unknown) => {
        end = error;
        return undefined;
      });
      if (state !== undefined) seen.add(state.state);
    }
    expect([...seen]).toEqual(["starting", "running"]);
    expect(String(end)).toContain("could not be fetched");
  });
});
