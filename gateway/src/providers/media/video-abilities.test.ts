import { expect, test } from "bun:test";
import { inMemory, type VideoRequest } from "../../contract/index.ts";
import { failureFrom } from "../../outbound/testing.ts";
import { createGoogleMedia, createXaiMedia } from "../ai-sdk/media/index.ts";
import { createFalProvider, createReplicateProvider } from "../queues/index.ts";
import { callContext, startMediaVendor, tinyMp4, tinyPng, videoRequest } from "./media-testing.ts";

const VENDORS = {
  fal: [createFalProvider, "acme/video"],
  Replicate: [createReplicateProvider, "acme/video"],
  Google: [createGoogleMedia, "veo-3.1-lite-generate-preview"],
  xAI: [createXaiMedia, "grok-imagine-video"],
} as const;

const picture = inMemory({ bytes: tinyPng(), mediaType: "image/png" });
const video = inMemory({ bytes: tinyMp4(), mediaType: "video/mp4" });
const byPicture = { task: "reference_to_video", referenceImage: picture } as const;
const muteEdit = { task: "edit", referenceVideo: video, keepAudio: false } as const;

const REFUSED: readonly (readonly [keyof typeof VENDORS, string, Partial<VideoRequest>])[] = [
  ["fal", "reference_to_video", byPicture],
  ["fal", "drafts", { draft: true }],
  ["Replicate", "reference_to_video", byPicture],
  ["Replicate", "drafts", { draft: true }],
  ["Replicate", "sound", muteEdit],
  ["xAI", "sound", muteEdit],
  ["xAI", "seed", { seed: 1 }],
  ["Google", "edit", { ...muteEdit, keepAudio: true }],
];

test.each(REFUSED)(
  "an option that %s would silently ignore is refused by check and begin, and nothing is sent: %s",
  async (name, words, more) => {
    const [create, model] = VENDORS[name];
    const vendor = startMediaVendor(() => Response.json({ id: "a1", request_id: "a1" }));
    try {
      const { video } = vendor.provider(create);
      if (video === undefined) throw new Error("no videos");
      const request = videoRequest(more);
      expect(() => video.check?.(request)).toThrow(words);
      // `begin` must check too: a later target of the model was not checked before the hold.
      expect(await failureFrom(video.begin(model, request, callContext()))).toMatchObject({
        kind: "rejected",
      });
      expect(vendor.sent).toHaveLength(0);
    } finally {
      vendor.close();
    }
  },
);

test.each([
  ["xAI", "edit", true],
  ["xAI", "image_to_video", false],
  ["Google", "text_to_video", false],
  ["fal", "edit", false],
  ["Replicate", "edit", false],
] as const)("%s copies length and size from the reference in %s: %p", (name, task, expected) => {
  const vendor = startMediaVendor(() => Response.json({}));
  const { video } = vendor.provider(VENDORS[name][0]);
  vendor.close();
  expect(video?.keepsExtent?.(task) ?? false).toBe(expected);
});

test.each([
  ["fal", true],
  ["Replicate", true],
  ["Google", false],
  ["xAI", false],
] as const)("%s has models that may ignore the requested length: %p", (name, expected) => {
  const vendor = startMediaVendor(() => Response.json({}));
  const { video } = vendor.provider(VENDORS[name][0]);
  vendor.close();
  expect(video?.mayKeepExtent ?? false).toBe(expected);
});

const byImage = { task: "image_to_video", referenceImage: picture } as const;
const TAKEN: readonly (readonly [keyof typeof VENDORS, string, Partial<VideoRequest>, object])[] = [
  ["fal", "no sound", muteEdit, { keep_audio: false }],
  ["fal", "an image", byImage, { image_url: expect.any(String) }],
  ["Replicate", "a video", { ...muteEdit, keepAudio: true }, { input: { video: expect.any(String) } }],
];

test.each(TAKEN)("%s is sent the options that it supports: %s", async (name, _option, more, body) => {
  const [create, model] = VENDORS[name];
  const vendor = startMediaVendor(() => Response.json({ id: "a1", request_id: "a1" }));
  try {
    const { video } = vendor.provider(create);
    if (video === undefined) throw new Error("no videos");
    video.check?.(videoRequest(more));
    await video.begin(model, videoRequest(more), callContext());
    expect(vendor.sent[0]?.body).toMatchObject(body);
  } finally {
    vendor.close();
  }
});
