import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { PNG } from "../upstream/media-samples.ts";
import { type MediaUpstream, startMediaUpstream } from "../upstream/media-upstream.ts";
import { mediaSettings } from "./media-models.ts";

let upstream: MediaUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  upstream = startMediaUpstream();
  settings = writeSettings(mediaSettings(upstream.baseUrl));
  gateway = await startTestGateway(settings.environment);
  own = await gateway.found();
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

type Reply = Record<string, unknown> & { error?: { code: string; message: string } };

async function draw(body: object, headers: Record<string, string> = {}, key = own.key) {
  const response = await fetch(`${gateway.origin}/functions/v1/api-v1-images`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "pictures", prompt: "A lighthouse", ...body }),
  });
  return { response, reply: (await response.json()) as Reply };
}

async function read(path: string, key = own.key): Promise<Record<string, unknown>> {
  const response = await fetch(`${gateway.origin}/functions/v1/${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return (await response.json()) as Record<string, unknown>;
}

describe("200", () => {
  test("has exactly the fields of the specification, and its URL serves the image without a key", async () => {
    const member = await own.addMember("ada@example.com");
    const { response, reply } = await draw({}, { "x-member-user-id": member });
    expect(response.status).toBe(200);
    const url = String(reply["image_url"]);
    expect(url).toStartWith(`${gateway.origin}/library/`);
    expect(url).toMatch(/\/[\w-]{32}\.png$/);
    expect(reply).toEqual({
      request_id: response.headers.get("x-request-id"),
      model: "pictures",
      image_url: url,
      credits_charged: 5,
      balance: { subscription: 0, anytime: 9_995 },
    });
    expect(response.headers.get("ratelimit-limit")).toBe("6000");
    const file = await fetch(url);
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PNG);
    const { assets } = (await read("api-v1-assets")) as { assets: Record<string, unknown>[] };
    expect(assets[0]).toMatchObject({
      type: "image",
      url,
      width: 3,
      height: 2,
      prompt: "A lighthouse",
      credits_charged: 5,
      request_id: reply["request_id"],
      member_user_id: member,
    });
    const usage = (await read("api-v1-usage")) as { requests: object[]; by_member: object[] };
    expect(usage.requests[0]).toMatchObject({
      endpoint: "api-v1-images",
      model: "pictures",
      status: "succeeded",
      credits_charged: 5,
      input_tokens: 0,
      output_tokens: 0,
    });
    expect(usage.by_member).toMatchObject([{ member_user_id: member, credits_charged: 5 }]);
  });

  test("passes aspect ratio, resolution tier and negative prompt on, and charges the tier", async () => {
    const fields = { aspect_ratio: "16:9", resolution_tier: "2k", negative_prompt: "people" };
    const { reply } = await draw(fields);
    expect(reply["credits_charged"]).toBe(10);
    const asked = upstream.received.at(-1)?.body;
    expect(asked).toMatchObject({ prompt: "A lighthouse", n: 1, negative_prompt: "people" });
    const [width = 0, height = 0] = String(asked?.["size"]).split("x").map(Number);
    expect(width / height).toBeCloseTo(16 / 9, 1);
  });

  test("an image that is smaller than requested is charged by its actual size", async () => {
    const { reply } = await draw({ prompt: "A small lighthouse", resolution_tier: "2k" });
    expect(reply["credits_charged"]).toBe(5);
  });

  test("an alias is served by its model, and omitted fields take the model's defaults", async () => {
    expect((await draw({ model: "svc-image" })).reply["model"]).toBe("pictures");
    const { reply } = await draw({ model: "pictures-twice", aspect_ratio: null, negative_prompt: "" });
    expect(reply["model"]).toBe("pictures-twice");
    expect(upstream.received.at(-1)?.body["size"]).toMatch(/^2\d{3}x1\d{3}$/);
  });
});

describe("400", () => {
  const cases: readonly [string, object, string][] = [
    [
      "no prompt",
      { prompt: undefined },
      "prompt: must be text of 1 to 32,000 characters, not only whitespace",
    ],
    ["a blank prompt", { prompt: " \n" }, "prompt: must be text"],
    ["a prompt of 32,001 characters", { prompt: "é".repeat(32_001) }, "prompt: must be text"],
    ["a prompt of another type", { prompt: ["A"] }, "prompt: must be text"],
    ["a malformed aspect ratio", { aspect_ratio: "wide" }, "aspect_ratio: must be a ratio written W:H"],
    [
      "an aspect ratio that the model lacks",
      { aspect_ratio: "21:9" },
      "aspect_ratio: must be one of 1:1, 16:9, 3:2",
    ],
    ["an unknown resolution tier", { resolution_tier: "8k" }, "resolution_tier: must be one of 1k, 2k, 4k"],
    [
      "a resolution tier that the model lacks",
      { resolution_tier: "4k" },
      "resolution_tier: must be one of 1k, 2k for",
    ],
    [
      "a negative prompt for a model without them",
      { model: "pictures-twice", negative_prompt: "people" },
      "negative_prompt: this model takes none",
    ],
  ];
  for (const [name, body, says] of cases) {
    test(`${name} is refused before the upstream is called`, async () => {
      const before = upstream.received.length;
      const { response, reply } = await draw(body);
      expect([response.status, reply.error?.code]).toEqual([400, "validation_error"]);
      expect(reply.error?.message).toStartWith(says);
      expect(upstream.received).toHaveLength(before);
    });
  }

  test("a prompt of 32,000 characters outside the basic plane is accepted", async () => {
    expect((await draw({ prompt: "🗼".repeat(32_000) })).response.status).toBe(200);
  });
});

test("402 reports the credits needed, and the upstream is not called", async () => {
  const poor = await gateway.found({ credits: 4 });
  const before = upstream.received.length;
  const { response, reply } = await draw({}, {}, poor.key);
  expect([response.status, reply.error?.message]).toEqual([
    402,
    expect.stringContaining("5 needed, 4 available, 0 held"),
  ]);
  expect(upstream.received).toHaveLength(before);
});

test.each([
  ["sandbox-chat", "a text model, and this endpoint needs an image model"],
  ["voice", "an audio model, and this endpoint needs an image model"],
  ["nothing", "no model that your organization may use"],
  ["Pictures", "no model that your organization may use"],
])("403 says what the model %s is", async (model, is) => {
  const { response, reply } = await draw({ model });
  expect([response.status, reply.error?.code, reply.error?.message]).toEqual([
    403,
    "model_not_allowed",
    `model: ${model} is ${is}; GET api-v1-models lists them`,
  ]);
});

describe("Idempotency-Key", () => {
  test("a repeat gets the first reply, without a second image or charge", async () => {
    const other = await gateway.found({ credits: 20 });
    const headers = { "idempotency-key": "order-1" };
    const before = upstream.received.length;
    const first = await draw({}, headers, other.key);
    const repeat = await draw({}, headers, other.key);
    expect(repeat.response.headers.get("idempotent-replayed")).toBe("true");
    expect(repeat.reply).toEqual(first.reply);
    expect(upstream.received).toHaveLength(before + 1);
    const conflict = await draw({ prompt: "Another" }, headers, other.key);
    expect(conflict.response.status).toBe(409);
    const { balance } = (await read("api-v1-usage?view=balance", other.key)) as { balance: object };
    expect(balance).toMatchObject({ total_credits: 15, held_credits: 0 });
  });
});
