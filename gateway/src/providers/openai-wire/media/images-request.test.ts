import { describe, expect, test } from "bun:test";
import type { ImageFinish, ImageRequest } from "../../../contract/index.ts";
import { WIRE_VENDORS, type WireVendorName } from "../../wire-vendors-testing.ts";
import { SIZED_IMAGES } from "./images-habits.ts";
import { encodeImageRequest, hasQualities, imagesPerCall } from "./images-request.ts";

function bodyFor(kind: WireVendorName, model: string, more: Partial<ImageRequest> = {}) {
  const habits = WIRE_VENDORS[kind].images;
  if (habits === null) throw new Error("it makes pictures");
  const request: ImageRequest = { prompt: "a cat", aspectRatio: "1:1", tier: "1k", n: 1, ...more };
  return encodeImageRequest(request, { model, habits }, request.n);
}

describe("an image request to OpenAI", () => {
  test("has one of three sizes, the quality of the tier, and no response format", () => {
    expect(bodyFor("openai", "gpt-image-1.5", { aspectRatio: "3:2", n: 2 })).toEqual({
      model: "gpt-image-1.5",
      prompt: "a cat",
      n: 2,
      size: "1536x1024",
      quality: "medium",
    });
    expect(bodyFor("openai", "gpt-image-1-mini", { tier: "2k" })).toMatchObject({
      size: "1024x1024",
      quality: "high",
    });
  });

  test("for gpt-image-2 and later has any size within their limits", () => {
    expect(bodyFor("openai", "gpt-image-2", { aspectRatio: "16:9" })).toMatchObject({ size: "1360x768" });
    expect(bodyFor("openai", "gpt-image-2.5-flare", { tier: "4k" })).toMatchObject({ size: "2880x2880" });
    expect(bodyFor("azure", "gpt-image-2", { aspectRatio: "16:9", tier: "4k" })).toMatchObject({
      size: "3840x2160",
    });
  });

  test("for dall-e-3 requests base64, one image per call", () => {
    expect(bodyFor("openai", "dall-e-3", { aspectRatio: "9:16", tier: "2k" })).toEqual({
      model: "dall-e-3",
      prompt: "a cat",
      n: 1,
      size: "1024x1792",
      quality: "hd",
      response_format: "b64_json",
    });
    const habits = WIRE_VENDORS.openai.images;
    if (habits === null) throw new Error("it makes pictures");
    expect(imagesPerCall({ model: "dall-e-3", habits })).toBe(1);
    expect(imagesPerCall({ model: "gpt-image-2", habits })).toBe(10);
  });
});

describe("an image request to other vendors", () => {
  test("any: has a size in pixels", () => {
    expect(bodyFor("openai-wire", "flux", { negativePrompt: "dogs", tier: "2k" })).toEqual({
      model: "flux",
      prompt: "a cat",
      n: 1,
      size: "2048x2048",
      negative_prompt: "dogs",
      response_format: "b64_json",
    });
  });

  test("together: has width and height", () => {
    expect(bodyFor("together", "black-forest-labs/FLUX.1-schnell", { aspectRatio: "16:9" })).toMatchObject({
      width: 1360,
      height: 768,
      response_format: "base64",
    });
  });

  test("xai: has an aspect ratio and a resolution; a tier that it lacks is rejected", () => {
    const body = bodyFor("xai", "grok-imagine-image", { aspectRatio: "16:9", tier: "2k" });
    expect(body).toMatchObject({ aspect_ratio: "16:9", resolution: "2k", response_format: "b64_json" });
    expect(body).not.toHaveProperty("size");
    expect(() => bodyFor("xai", "grok-imagine-image", { tier: "4k" })).toThrow("4k");
  });

  test("openrouter: has an aspect ratio and a resolution in its own spelling", () => {
    expect(bodyFor("openrouter", "google/gemini-3.1-flash-lite-image", { tier: "4k" })).toEqual({
      model: "google/gemini-3.1-flash-lite-image",
      prompt: "a cat",
      n: 1,
      aspect_ratio: "1:1",
      resolution: "4K",
    });
  });
});

describe("output format, compression and background", () => {
  const finish = { format: "webp", compression: 40, background: "transparent" } as const;
  const told = (kind: WireVendorName, model: string, wishes: ImageFinish) => {
    const { output_format, output_compression, background } = bodyFor(kind, model, { finish: wishes });
    return [output_format, output_compression, background];
  };

  test.each(["openai", "azure", "openai-wire"] as const)("are sent to gpt-image at %s", (kind) => {
    expect(told(kind, "gpt-image-2", finish)).toEqual(["webp", 40, "transparent"]);
  });

  test.each([
    ["openai", "dall-e-3", finish],
    ["openai-wire", "flux", { format: "png", background: "opaque" }],
    ["openrouter", "openai/gpt-image-2", finish],
    ["xai", "grok-imagine-image", { format: "jpeg" }],
    ["together", "flux", finish],
  ] as const)("are not sent to a model that does not support them: %s, %s", (kind, model, wishes) => {
    expect(told(kind, model, wishes)).toEqual([undefined, undefined, undefined]);
  });

  test("are sent as far as the vendor supports them", () => {
    expect(told("together", "flux", { ...finish, format: "jpeg" })).toEqual(["jpeg", undefined, undefined]);
  });
});

test("models whose tiers are qualities are recognized by name", () => {
  const named = ["gpt-image-1.5", "openai/gpt-image-2", "dall-e-3", "dall-e-2", "flux-1.1"];
  expect(named.map(hasQualities)).toEqual([true, true, true, false, false]);
});

test("a server that takes every output option is asked for all of them", () => {
  const finish: ImageFinish = { format: "webp", compression: 40, background: "opaque" };
  const request: ImageRequest = { prompt: "a cat", aspectRatio: "1:1", tier: "1k", n: 1, finish };
  const of = (takesFinish: boolean) =>
    encodeImageRequest(request, { model: "m", habits: { ...SIZED_IMAGES, takesFinish } }, 1);
  expect(of(true)).toMatchObject({ output_format: "webp", output_compression: 40, background: "opaque" });
  expect(Object.keys(of(false)).filter((name) => name.startsWith("output"))).toEqual([]);
});
