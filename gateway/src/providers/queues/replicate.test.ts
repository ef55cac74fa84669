import { afterEach, describe, expect, test } from "bun:test";
import { failureFrom } from "../../outbound/testing.ts";
import {
  callContext,
  type MediaVendor,
  startMediaVendor,
  tinyMp4,
  videoRequest,
} from "../media/media-testing.ts";
import { createReplicateProvider } from "./replicate.ts";

let vendor: MediaVendor;
afterEach(() => vendor.close());

function replicate(answer: Parameters<typeof startMediaVendor>[0]) {
  vendor = startMediaVendor(answer);
  const { image, video } = vendor.provider(createReplicateProvider);
  if (!image || !video) throw new Error("a medium is missing");
  return { image, video };
}

const PICTURE = { prompt: "a cat", aspectRatio: "3:2", tier: "1k", n: 1 } as const;
const FLUX = "black-forest-labs/flux-schnell";
const ID = "heat2o3bzn3ahtr6bjfftvbaci";
const predictionAt = (origin: string, more: object) =>
  Response.json({ id: ID, status: "succeeded", urls: { get: `${origin}/predictions/${ID}` }, ...more });

describe("Replicate images", () => {
  test.each([
    ["1k", {}],
    ["2k", { resolution: "2K" }],
  ] as const)("are ordered with the field names that most models have: %s", async (tier, more) => {
    const { image } = replicate(() => Response.json({ detail: "enough" }, { status: 422 }));
    const request = { ...PICTURE, tier, negativePrompt: "dogs" };
    await failureFrom(image.makeImages(FLUX, request, callContext()));
    expect(vendor.sent[0]).toMatchObject({ path: `/models/${FLUX}/predictions` });
    expect(vendor.sent[0]?.body).toEqual({
      input: { prompt: "a cat", aspect_ratio: "3:2", num_outputs: 1, negative_prompt: "dogs", ...more },
    });
  });
});

const poll = (video: ReturnType<typeof replicate>["video"]) =>
  video.poll(
    "minimax/video-01",
    { operation: { id: ID }, request: async () => videoRequest() },
    callContext(),
  );

describe("Replicate videos", () => {
  test("are ordered by name, or by version if the model has one", async () => {
    const { video } = replicate((_call, origin) => predictionAt(origin, { status: "starting" }));
    expect(await video.begin("minimax/video-01", videoRequest(), callContext())).toEqual({ id: ID });
    await video.begin("acme/video:3f0457e4", videoRequest({ sound: true }), callContext());
    const [named, versioned] = vendor.sent;
    expect(named).toMatchObject({
      path: "/models/minimax/video-01/predictions",
      body: { input: { prompt: "a calm wave", duration: 4, aspect_ratio: "16:9", generate_audio: false } },
    });
    expect(versioned).toMatchObject({
      path: "/predictions",
      body: { version: "3f0457e4", input: { generate_audio: true } },
    });
    expect(named?.headers.get("authorization")).toBe("Bearer secret-key-1");
  });

  test.each([
    ["starting", "starting"],
    ["processing", "running"],
    ["queued-for-lunch", "running"],
    ["failed", "failed"],
    ["canceled", "failed"],
    ["aborted", "failed"],
  ])("the status %s is read as %s", async (status, state) => {
    const { video } = replicate((_call, origin) => predictionAt(origin, { status, error: "x" }));
    expect((await poll(video)).state).toBe(state as "running");
  });

  test.each([
    ["a URL", (url: string) => url],
    ["a list of URLs", (url: string) => [url]],
    ["an object", (url: string) => ({ video: url })],
  ])("are found in an output that is %s", async (_name, output) => {
    const { video } = replicate(({ path }, origin) =>
      path === "/f.mp4"
        ? new Response(Buffer.from(tinyMp4()))
        : predictionAt(origin, { output: output(`${origin}/f.mp4`) }),
    );
    expect((await poll(video)).state).toBe("succeeded");
  });

  test.each([
    ["null", null],
    ["an empty list", []],
    ["an empty object", {}],
    ["plain text", "not an address"],
    ["nested too deeply", { video: [{ video: [{ video: "https://cdn.test/f.mp4" }] }] }],
  ] as const)("fail with provider_error if the output is %s", async (_name, output) => {
    const { video } = replicate((_call, origin) => predictionAt(origin, { output }));
    expect(await poll(video)).toMatchObject({ state: "failed", reason: "provider_error" });
  });
});
