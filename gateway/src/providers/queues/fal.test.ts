import { afterEach, describe, expect, test } from "bun:test";
import { inMemory, WithheldResult } from "../../contract/index.ts";
import { createPublicFetch } from "../../outbound/index.ts";
import { failureFrom } from "../../outbound/testing.ts";
import {
  ADDRESSES_INSIDE,
  base64,
  callContext,
  expectWashed,
  type MediaVendor,
  startMediaVendor,
  tinyMp4,
  tinyPng,
  videoRequest,
} from "../media/media-testing.ts";
import { createFalProvider } from "./fal.ts";

let vendor: MediaVendor;
afterEach(() => vendor.close());

function fal(
  answer: Parameters<typeof startMediaVendor>[0],
  options: Parameters<typeof startMediaVendor>[1] = {},
) {
  vendor = startMediaVendor(answer, options);
  const { image, video } = vendor.provider(createFalProvider);
  if (!image || !video) throw new Error("a medium is missing");
  return { image, video };
}

const PICTURE = { prompt: "a cat", aspectRatio: "16:9", tier: "1k", n: 1 } as const;
const ID = "764cabcf-b745-4b3e-ae38-1200304cf45b";
const png = () => new Response(Buffer.from(tinyPng(1_360, 768)));

describe("fal images", () => {
  test("are requested with both image_size and aspect_ratio, and fetched without our key", async () => {
    const { image } = fal(({ path }, origin) =>
      path === "/p.png" ? png() : Response.json({ images: [{ url: `${origin}/p.png` }] }),
    );
    const request = { ...PICTURE, negativePrompt: "dogs" };
    const made = await image.makeImages("fal-ai/flux/schnell", request, callContext());
    expect(made).toMatchObject([{ mediaType: "image/png", width: 1_360, height: 768 }]);
    expect(vendor.sent[0]).toMatchObject({
      path: "/fal-ai/flux/schnell",
      body: {
        prompt: "a cat",
        num_images: 1,
        image_size: { width: 1_360, height: 768 },
        aspect_ratio: "16:9",
        negative_prompt: "dogs",
      },
    });
    expect(vendor.sent[0]?.headers.get("authorization")).toBe("Key secret-key-1");
    expect(vendor.sent[1]?.headers.get("authorization")).toBeNull();
  });

  test("are fetched from another host through the guarded fetch", async () => {
    const asked: string[] = [];
    const hosted = async (url: string) => {
      asked.push(url);
      return { bytes: Buffer.from(tinyPng()), mediaType: "image/png" };
    };
    const { image } = fal(() => Response.json({ images: [{ url: "https://v3.fal.media/p.png" }] }), {
      hosted,
    });
    expect(await image.makeImages("fal-ai/flux/schnell", PICTURE, callContext())).toHaveLength(1);
    expect(asked).toEqual(["https://v3.fal.media/p.png"]);
  });

  test.each(ADDRESSES_INSIDE)("an image URL that points inside is the vendor's failure: %s", async (url) => {
    const hosted = createPublicFetch({ resolve: async () => ["192.168.1.7"] });
    const { image } = fal(() => Response.json({ images: [{ url }] }), { hosted });
    const failure = await failureFrom(image.makeImages("fal-ai/flux/schnell", PICTURE, callContext()));
    expect(failure.kind).toBe("unavailable");
    expect(failure.publicMessage).not.toContain("inside");
    expectWashed(failure.publicMessage);
  });

  test("are read from data URIs without a fetch", async () => {
    const url = `data:image/png;base64,${base64(tinyPng(1_360, 768))}`;
    const { image } = fal(() => Response.json({ images: [{ url }] }));
    const made = await image.makeImages("fal-ai/flux/schnell", PICTURE, callContext());
    expect(made).toMatchObject([{ mediaType: "image/png", width: 1_360, height: 768 }]);
    expect(vendor.sent).toHaveLength(1);
  });

  test.each([
    ["plain text", "data:text/plain,cat"],
    ["an HTML page", `data:text/html;base64,${base64(Buffer.from("<html>"))}`],
  ])("a data URI with %s is the vendor's failure, with the target still healthy", async (_name, url) => {
    const { image } = fal(() => Response.json({ images: [{ url }] }));
    const failure = await failureFrom(image.makeImages("fal-ai/flux/schnell", PICTURE, callContext()));
    expect(failure).toMatchObject({ kind: "unavailable", detail: { targetHealth: "up" } });
  });

  test.each([
    ["seed", { seed: null }],
    ["timings", { timings: { inference: null } }],
    ["prompt", { prompt: null }],
    ["flags", { has_nsfw_concepts: null, nsfw_content_detected: null }],
  ])("are read from a response with null for %s", async (_name, more) => {
    const { image } = fal(({ path }, origin) =>
      path === "/p.png"
        ? png()
        : Response.json({ images: [{ url: `${origin}/p.png`, file_data: null, file_size: null }], ...more }),
    );
    expect(await image.makeImages("fal-ai/flux/schnell", PICTURE, callContext())).toHaveLength(1);
  });

  test("a content refusal is passed on in the vendor's words", async () => {
    const detail = [{ loc: ["body", "prompt"], msg: "flagged", type: "content_policy_violation" }];
    const { image } = fal(() => Response.json({ detail }, { status: 422 }));
    const failure = await failureFrom(image.makeImages("fal-ai/flux/schnell", PICTURE, callContext()));
    expect(failure).toMatchObject({ kind: "rejected", publicMessage: "prompt: flagged" });
  });
});

describe("images that fal flags as unsafe", () => {
  /** One image per call, flagged as `flags` says in turn, by either of fal's names for it. */
  function flagging(flags: readonly boolean[], word: "has_nsfw_concepts" | "nsfw_content_detected") {
    const turns = [...flags];
    return fal(({ path }, origin) =>
      path === "/p.png"
        ? png()
        : Response.json({ images: [{ url: `${origin}/p.png` }], [word]: [turns.shift() ?? false] }),
    ).image;
  }

  test("are left out, and the others are returned", async () => {
    const image = flagging([false, true, false], "has_nsfw_concepts");
    const made = await image.makeImages("fal-ai/flux/schnell", { ...PICTURE, n: 3 }, callContext());
    expect(made).toHaveLength(2);
  });

  test.each(["has_nsfw_concepts", "nsfw_content_detected"] as const)(
    "are a content refusal if there are no others: %s",
    async (word) => {
      const image = flagging([true, true], word);
      const work = image.makeImages("fal-ai/flux/schnell", { ...PICTURE, n: 2 }, callContext());
      expect(await failureFrom(work)).toMatchObject({
        kind: "rejected",
        publicMessage: "The model's provider refused this by its content rules.",
      });
    },
  );
});

const MODEL = "fal-ai/veo3.1/fast";
const poll = (video: ReturnType<typeof fal>["video"], id = ID) =>
  video.poll(MODEL, { operation: { id }, request: async () => videoRequest() }, callContext());

describe("fal videos", () => {
  test("are ordered at the model's path and polled at its app's path", async () => {
    const { video } = fal(({ method }) =>
      Response.json(method === "POST" ? { request_id: ID } : { status: "IN_QUEUE", queue_position: 3 }),
    );
    const referenceImage = inMemory({ bytes: tinyPng(), mediaType: "image/png" });
    const request = videoRequest({ task: "image_to_video", referenceImage, seed: 0, durationMs: 8_000 });
    const operation = await video.begin(MODEL, request, callContext());
    expect(operation).toEqual({ id: ID });
    expect(await poll(video)).toEqual({ state: "queued" });
    expect(vendor.sent[0]).toMatchObject({
      path: `/${MODEL}`,
      body: {
        prompt: "a calm wave",
        aspect_ratio: "16:9",
        resolution: "720p",
        duration: "8s",
        generate_audio: false,
        seed: 0,
        image_url: `data:image/png;base64,${base64(tinyPng())}`,
      },
    });
    expect(vendor.sent[1]?.path).toBe(`/fal-ai/veo3.1/requests/${ID}/status`);
  });

  test.each([
    ["fal-ai/kling-video/v2.6/pro/text-to-video", "8"],
    ["fal-ai/luma-dream-machine/ray-2", "8s"],
    ["fal-ai/ltx-2/text-to-video", 8],
    ["fal-ai/ltx-2.3/text-to-video/fast", 8],
    ["fal-ai/sora-2/image-to-video/pro", 8],
  ])("%s gets the duration as %j", async (model, duration) => {
    const { video } = fal(() => Response.json({ request_id: ID }));
    await video.begin(model, videoRequest({ durationMs: 8_000 }), callContext());
    expect(vendor.sent[0]?.body["duration"]).toBe(duration);
  });

  test("are fetched without our key when done", async () => {
    const { video } = fal(({ path }, origin) => {
      if (path === "/f.mp4") return new Response(Buffer.from(tinyMp4()));
      const isStatus = path.endsWith("/status");
      return Response.json(isStatus ? { status: "COMPLETED" } : { video: { url: `${origin}/f.mp4` } });
    });
    expect(await poll(video)).toMatchObject({ state: "succeeded", file: { durationMs: 4_000 } });
    expect(vendor.sent.map(({ path }) => path)).toEqual([
      `/fal-ai/veo3.1/requests/${ID}/status`,
      `/fal-ai/veo3.1/requests/${ID}`,
      "/f.mp4",
    ]);
    expect(vendor.sent[2]?.headers.get("authorization")).toBeNull();
  });

  test.each([
    ["videos", (url: string) => ({ videos: [{ url }] })],
    ["video_url", (url: string) => ({ video_url: url })],
    ["video_file", (url: string) => ({ video_file: { url } })],
  ])("the video URL is found under %s", async (_name, output) => {
    const { video } = fal(({ path }, origin) => {
      if (path === "/f.mp4") return new Response(Buffer.from(tinyMp4()));
      return Response.json(path.endsWith("/status") ? { status: "COMPLETED" } : output(`${origin}/f.mp4`));
    });
    expect((await poll(video)).state).toBe("succeeded");
  });

  test.each([
    ["IN_PROGRESS", "running", { status: "IN_PROGRESS", logs: [] }],
    ["an unknown status", "running", { status: "REWINDING" }],
    ["no status", "running", {}],
    [
      "COMPLETED with an error",
      "failed",
      { status: "COMPLETED", error: "runner died", error_type: "runner" },
    ],
    ["FAILED", "failed", { status: "FAILED" }],
  ])("%s is read as %s", async (_name, state, answer) => {
    const { video } = fal(() => Response.json(answer));
    expect((await poll(video)).state).toBe(state as "running");
  });

  test.each([
    [422, "content_filter", { detail: [{ msg: "content flagged as nsfw", loc: ["body"] }] }],
    [422, "rejected", { detail: [{ msg: "must be 5 or 10", loc: ["body", "duration"] }] }],
    [400, "rejected", { detail: "the picture is too small" }],
  ])("a refused result (%d) fails the job, with the reason %s", async (status, reason, body) => {
    const { video } = fal(({ path }) =>
      path.endsWith("/status")
        ? Response.json({ status: "COMPLETED" })
        : Response.json(body, { status: Number(status) }),
    );
    expect(await poll(video)).toMatchObject({ state: "failed", reason: reason as "provider_error" });
  });

  test.each([
    [502, "unavailable", true],
    [429, "rate_limited", false],
    [401, "unauthorized", false],
  ])("a result answered with %d fails the poll, not the job: %s", async (status, kind, isWithheld) => {
    const { video } = fal(({ path }) =>
      path.endsWith("/status") ? Response.json({ status: "COMPLETED" }) : new Response("", { status }),
    );
    const failure = await failureFrom(poll(video));
    expect(failure.kind).toBe(kind as "unavailable");
    expect(failure instanceof WithheldResult).toBe(isWithheld);
  });

  test("a failed status request is not a WithheldResult", async () => {
    const { video } = fal(() => new Response("", { status: 502 }));
    expect(await failureFrom(poll(video))).not.toBeInstanceOf(WithheldResult);
  });

  test.each(["../../v1/keys", "a/b", "", "%2e%2e"])(
    "an unsafe request id is refused, by begin and by poll: %p",
    async (id) => {
      const { video } = fal(() => Response.json({ request_id: id }));
      expect((await failureFrom(video.begin(MODEL, videoRequest(), callContext()))).kind).toBe("unavailable");
      expect((await failureFrom(poll(video, id))).kind).toBe("unavailable");
      expect(vendor.sent).toHaveLength(1);
    },
  );
});
