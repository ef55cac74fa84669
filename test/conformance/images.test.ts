import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateImage, type ImageModel } from "ai";
import OpenAI from "openai";
import { mediaSettings } from "../endpoints/media-models.ts";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { PNG } from "../upstream/media-samples.ts";
import { type MediaUpstream, startMediaUpstream } from "../upstream/media-upstream.ts";

let upstream: MediaUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  upstream = startMediaUpstream();
  settings = writeSettings(withWellKnownName(mediaSettings(upstream.baseUrl)));
  gateway = await startTestGateway(settings.environment);
  own = await gateway.found();
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

/** Some clients treat models of this name specially. */
function withWellKnownName(given: object): object {
  const { models } = given as { models: { id: string }[] };
  const pictures = models.find(({ id }) => id === "pictures");
  return { ...given, models: [...models, { ...pictures, id: "gpt-image-1" }] };
}

function openai(options: { maxRetries?: number } = {}): OpenAI {
  return new OpenAI({ baseURL: `${gateway.origin}/v1`, apiKey: own.key, ...options });
}

describe("the official client", () => {
  for (const model of ["svc-image", "pictures", "gpt-image-1"]) {
    test(`gets URLs and bytes from ${model} by default`, async () => {
      const reply = await openai().images.generate({
        model,
        prompt: "A lighthouse",
        n: 2,
        size: "1024x1024",
      });
      expect(reply.data).toHaveLength(2);
      const file = await fetch(reply.data?.[0]?.url ?? "");
      expect(Buffer.from(await file.arrayBuffer())).toEqual(PNG);
      expect(reply.data?.[0]?.b64_json).toBe(PNG.toString("base64"));
    });
  }

  test("gets bytes, and the cost in a header", async () => {
    const { data, response } = await openai()
      .images.generate({ model: "svc-image", prompt: "A lighthouse", response_format: "b64_json" })
      .withResponse();
    expect(data.data?.[0]?.b64_json).toBe(PNG.toString("base64"));
    expect(response.headers.get("x-credits-charged")).toBe("5");
  });

  test("throws its own errors for a missing model and a failed image, and repeats neither", async () => {
    const draw = async (model: string, prompt: string, maxRetries = 2) =>
      openai({ maxRetries }).images.generate({ model, prompt });
    await expect(draw("nothing", "A lighthouse")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    const before = upstream.received.length;
    await expect(draw("pictures", "status=400")).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    expect(upstream.received.length - before).toBe(1);
    // It may have made the image.
    await expect(draw("pictures", "status=500", 0)).rejects.toMatchObject({ status: 502 });
    expect(upstream.received.length - before).toBe(2);
  });
});

describe("the AI SDK", () => {
  const models: readonly [string, (name: string) => ImageModel][] = [
    [
      "@ai-sdk/openai",
      (name) => createOpenAI({ baseURL: `${gateway.origin}/v1`, apiKey: own.key }).image(name),
    ],
    [
      "@ai-sdk/openai-compatible",
      (name) =>
        createOpenAICompatible({
          name: "bursar",
          baseURL: `${gateway.origin}/v1`,
          apiKey: own.key,
        }).imageModel(name),
    ],
  ];
  for (const [client, modelOf] of models) {
    for (const name of ["svc-image", "gpt-image-1"]) {
      test(`${client} reads the images of ${name}`, async () => {
        const { images } = await generateImage({ model: modelOf(name), prompt: "A lighthouse", n: 2 });
        expect(images.map(({ base64 }) => base64)).toEqual(Array(2).fill(PNG.toString("base64")));
      });
    }
  }
});
