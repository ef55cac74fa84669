import { afterEach, describe, expect, test } from "bun:test";
import {
  callContext,
  filmRequest,
  type MediaVendor,
  startMediaVendor,
  tinyMp4,
  tinyPng,
} from "../media-testing.ts";
import { createPublicFetch } from "../outbound/index.ts";
import { failureFrom } from "../outbound/testing.ts";
import { createReplicateProvider } from "./replicate.ts";

let vendor: MediaVendor;
afterEach(() => vendor.close());

function replicate(
  answer: Parameters<typeof startMediaVendor>[0],
  options: Parameters<typeof startMediaVendor>[1] = {},
) {
  vendor = startMediaVendor(answer, options);
  const { image, music, video } = vendor.provider(createReplicateProvider);
  if (!image || !music || !video) throw new Error("a medium is missing");
  return { image, music, video };
}

const PICTURE = { prompt: "a cat", aspectRatio: "3:2", tier: "1k", n: 1 } as const;
const FLUX = "black-forest-labs/flux-schnell";
const ID = "heat2o3bzn3ahtr6bjfftvbaci";
const predictionAt = (origin: string, more: object) =>
  Response.json({ id: ID, status: "succeeded", urls: { get: `${origin}/predictions/${ID}` }, ...more });

describe("pictures of Replicate", () => {
  test("are waited for, asked after and fetched", async () => {
    const { image } = replicate(({ path, method }, origin) => {
      if (path === "/p.png") return new Response(Buffer.from(tinyPng(1_216, 832)));
      return method === "POST"
        ? predictionAt(origin, { status: "processing" })
        : predictionAt(origin, { output: [`${origin}/p.png`] });
    });
    const request = { ...PICTURE, negativePrompt: "dogs" };
    const made = await image.makeImages(FLUX, request, callContext());
    expect(made).toMatchObject([{ mediaType: "image/png", width: 1_216 }]);
    expect(vendor.sent[0]).toMatchObject({
      path: `/models/${FLUX}/predictions`,
      body: { input: { prompt: "a cat", aspect_ratio: "3:2", num_outputs: 1, negative_prompt: "dogs" } },
    });
    expect(vendor.sent[2]?.headers.get("authorization")).toBeNull();
  });

  test("a prediction that fails is told in the vendor's words; for its content it is a refusal", async () => {
    const errors = ["CUDA is out of memory at 127.0.0.1", "NSFW content detected"];
    const { image } = replicate((_call, origin) =>
      predictionAt(origin, { status: "failed", error: errors.shift() }),
    );
    const work = () => failureFrom(image.makeImages(FLUX, PICTURE, callContext()));
    expect(await work()).toMatchObject({
      kind: "unavailable",
      publicMessage: "CUDA is out of memory at [hidden]",
    });
    expect((await work()).kind).toBe("rejected");
  });

  test("our token goes to no host that an answer names, and nobody inside is asked", async () => {
    const asked: string[] = [];
    const guarded = createPublicFetch();
    const hosted: typeof guarded = (url, options) => {
      asked.push(url);
      return guarded(url, options);
    };
    const urls = { get: "https://169.254.169.254/latest" };
    const { image } = replicate(() => Response.json({ id: ID, status: "starting", urls }), { hosted });
    const failure = await failureFrom(image.makeImages(FLUX, PICTURE, callContext()));
    expect(failure.kind).toBe("unavailable");
    expect(vendor.sent).toHaveLength(1);
  });
});

const look = (video: ReturnType<typeof replicate>["video"]) =>
  video.look(
    "minimax/video-01",
    { operation: { id: ID }, request: async () => filmRequest() },
    callContext(),
  );

describe("films of Replicate", () => {
  test("are ordered by name, or by version where the model has one", async () => {
    const { video } = replicate((_call, origin) => predictionAt(origin, { status: "starting" }));
    expect(await video.begin("minimax/video-01", filmRequest(), callContext())).toEqual({ id: ID });
    await video.begin("acme/film:3f0457e4", filmRequest({ sound: true }), callContext());
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
  ])("the status %s is %s", async (status, state) => {
    const { video } = replicate((_call, origin) => predictionAt(origin, { status, error: "x" }));
    expect((await look(video)).state).toBe(state as "running");
  });

  test.each([
    ["an address", (url: string) => url],
    ["a list", (url: string) => [url]],
    ["fields", (url: string) => ({ video: url })],
  ])("what was made may stand there as %s", async (_name, output) => {
    const { video } = replicate(({ path }, origin) =>
      path === "/f.mp4"
        ? new Response(Buffer.from(tinyMp4()))
        : predictionAt(origin, { output: output(`${origin}/f.mp4`) }),
    );
    expect((await look(video)).state).toBe("succeeded");
  });

  test.each([
    ["nothing", null],
    ["an empty list", []],
    ["empty fields", {}],
    ["words", "not an address"],
    ["a well without ground", { video: [{ video: [{ video: "https://cdn.test/f.mp4" }] }] }],
  ] as const)("an end with %s for a film is a failure", async (_name, output) => {
    const { video } = replicate((_call, origin) => predictionAt(origin, { output }));
    expect(await look(video)).toMatchObject({ state: "failed", reason: "provider_error" });
  });
});
