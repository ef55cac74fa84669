import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { imagesResponseSchema } from "../../gateway/src/http/openai/images/images-schema.ts";
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
  own = await gateway.found({ credits: 1_000 });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

type Reply = {
  created: number;
  data: { url?: string; b64_json?: string }[];
  credits_charged: number;
  balance: object;
  error: { message: string; type: string; param: string | null; code: string; checkout_url?: string };
  checkout_url?: string;
};

async function generate(body: object, headers: Record<string, string> = {}, key = own.key) {
  const response = await fetch(`${gateway.origin}/v1/images/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "pictures", prompt: "A lighthouse", ...body }),
  });
  return { response, reply: (await response.json()) as Reply };
}

describe("200", () => {
  test("has URLs and bytes, the cost in body and headers, and each image's share of it in the library", async () => {
    const fresh = await gateway.found({ credits: 100 });
    const { response, reply } = await generate({ n: 3 }, {}, fresh.key);
    expect([response.status, Object.keys(reply)]).toEqual([
      200,
      ["created", "output_format", "data", "credits_charged", "balance"],
    ]);
    expect([reply.credits_charged, reply.balance]).toEqual([15, { subscription: 0, anytime: 85 }]);
    expect(response.headers.get("x-credits-charged")).toBe("15");
    expect(response.headers.get("x-credits-balance")).toBe("85");
    expect(response.headers.get("x-ratelimit-limit-requests")).toBe("6000");
    expect(Math.abs(reply.created - Date.now() / 1000)).toBeLessThan(10);
    expect(new Set(reply.data.map(({ url }) => url)).size).toBe(3);
    for (const { url, b64_json } of reply.data) {
      expect(b64_json).toBe(PNG.toString("base64"));
      expect(Buffer.from(await (await fetch(url ?? "")).arrayBuffer())).toEqual(PNG);
    }
    const { rows } = await gateway.database.db.pool.query<{ credits: number }>(
      "select credits_charged::int as credits from assets where org_id = $1",
      [fresh.id],
    );
    expect(rows.map(({ credits }) => credits)).toEqual([5, 5, 5]);
  });

  test("charges only the images that were made", async () => {
    const { reply } = await generate({ n: 4, prompt: "fewer" });
    expect([reply.data.length, reply.credits_charged]).toEqual([1, 5]);
  });

  test.each([
    [{}, ["url", "b64_json"]],
    [{ response_format: null }, ["url", "b64_json"]],
    [{ response_format: "url" }, ["url"]],
    [{ response_format: "b64_json" }, ["b64_json"]],
  ])("with %j shows each image as %j, also for a repeat", async (form, shown) => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const { reply } = await generate({ n: 2, ...form }, headers);
    const repeat = await generate({ n: 2, ...form }, headers);
    expect(repeat.response.headers.get("idempotent-replayed")).toBe("true");
    expect(repeat.reply).toEqual(reply);
    expect(reply.data.map((image) => Object.keys(image))).toEqual([shown, shown]);
    for (const { b64_json } of reply.data)
      expect(b64_json).toBe(shown.includes("b64_json") ? PNG.toString("base64") : undefined);
  });

  test("says what was made, as far as it is known and published, also for a repeat", async () => {
    const headers = { "idempotency-key": "facts" };
    const body = { n: 2, prompt: "facts", size: "1024x1024" };
    for (const { reply } of [await generate(body, headers), await generate(body, headers)]) {
      expect(imagesResponseSchema.parse(reply)).toMatchObject({
        size: "1024x1024",
        quality: "high",
        output_format: "png",
        usage: {
          input_tokens: 13,
          input_tokens_details: { text_tokens: 13, image_tokens: 0 },
          output_tokens: 1056,
          total_tokens: 1069,
        },
      });
    }
    const { reply } = await generate({ prompt: "facts", size: "1792x1024" });
    expect(reply).not.toHaveProperty("size");
  });

  test("a repeat whose image was deleted gets a 409 that says so", async () => {
    const fresh = await gateway.found();
    const headers = { "idempotency-key": "deleted" };
    await generate({ response_format: "b64_json" }, headers, fresh.key);
    const page = await gateway.services.library.list(fresh.id, { limit: 1, cursor: null });
    await gateway.services.library.delete(fresh.id, page?.assets[0]?.id ?? "");
    const { response, reply } = await generate({ response_format: "b64_json" }, headers, fresh.key);
    expect([response.status, response.headers.get("x-should-retry")]).toEqual([409, "false"]);
    expect(reply.error.message).toContain("its image was deleted");
  });

  const sizes: readonly [object, string, number][] = [
    [{}, "1:1", 5],
    [{ size: "auto" }, "1:1", 5],
    [{ size: "1792x1024" }, "16:9", 5],
    [{ size: "1536x1024" }, "3:2", 5],
    [{ size: "4096x4096" }, "1:1", 10],
    [{ size: "1024x1024", aspect_ratio: "16:9", resolution_tier: "2k" }, "16:9", 10],
    [{ quality: "hd", style: "vivid", background: "auto", user: "u", stream: false }, "1:1", 5],
  ];
  for (const [fields, ratio, charged] of sizes) {
    test(`${JSON.stringify(fields)} makes an image of ${ratio} for ${charged} credits`, async () => {
      const { reply } = await generate(fields);
      expect(reply.credits_charged).toBe(charged);
      const [width = 0, height = 1] = String(upstream.received.at(-1)?.body["size"]).split("x").map(Number);
      const [across = 0, down = 1] = ratio.split(":").map(Number);
      expect(width / height).toBeCloseTo(across / down, 1);
    });
  }
});

describe("refusals in the format of this wire", () => {
  const cases: readonly [string, object, number, string, string | null][] = [
    ["no prompt", { prompt: null }, 400, "validation_error", "prompt"],
    ["n of 0", { n: 0 }, 400, "validation_error", "n"],
    ["n of 11", { n: 11 }, 400, "validation_error", "n"],
    ["n of 1.5", { n: 1.5 }, 400, "validation_error", "n"],
    ["an unknown size", { size: "large" }, 400, "validation_error", "size"],
    [
      "an aspect ratio that the model lacks",
      { aspect_ratio: "21:9" },
      400,
      "validation_error",
      "aspect_ratio",
    ],
    ["an unknown response_format", { response_format: "png" }, 400, "validation_error", "response_format"],
    ["a stream", { stream: true }, 400, "validation_error", "stream"],
    ["an unknown model", { model: "dall-e-3" }, 404, "model_not_found", "model"],
    [
      "a prompt that the provider flags",
      { prompt: "status=400 flagged" },
      400,
      "content_policy_violation",
      "prompt",
    ],
    ["a model of another type", { model: "voice" }, 404, "model_not_found", "model"],
  ];
  for (const [name, fields, status, code, param] of cases) {
    test(name, async () => {
      const { response, reply } = await generate(fields);
      expect(response.status).toBe(status);
      expect(reply.error).toMatchObject({ type: "invalid_request_error", code, param });
    });
  }

  test("402 has the checkout link in the error and beside it", async () => {
    const poor = await gateway.found({ credits: 7 });
    const { response, reply } = await generate({ n: 2 }, {}, poor.key);
    expect([response.status, reply.error.code]).toEqual([402, "insufficient_credits"]);
    expect(reply.checkout_url).toBe(
      `${gateway.origin}/console/billing?organization=${poor.id}&credits=3&needed=10`,
    );
    expect(reply.error.checkout_url).toBe(reply.checkout_url ?? "");
  });
});
