import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { type MediaUpstream, startMediaUpstream } from "../upstream/media-upstream.ts";

const KNOWS = "gpt-image-1.5";
const KNOWS_NOT = "flux";

function modelOf(id: string, upstreamModels: readonly string[]) {
  return {
    ...{ id, name: id, type: "image", credits_per_request: 5, price: { units: { "1k": 1 } } },
    targets: upstreamModels.map((model) => ({ provider: "acme", model })),
    limits: { aspect_ratios: ["1:1"] },
  };
}

let upstream: MediaUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  upstream = startMediaUpstream();
  settings = writeSettings({
    providers: { acme: { kind: "openai-wire", base_url: upstream.baseUrl, api_key: "sk-upstream-secret" } },
    models: [modelOf("knows", [KNOWS]), modelOf("knows-not", [KNOWS_NOT])],
  });
  gateway = await startTestGateway(settings.environment);
  own = await gateway.found({ credits: 1_000 });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

type Reply = {
  data: { b64_json: string }[];
  credits_charged: number;
  error: { message: string; type: string; param: string; code: string };
};

async function generate(model: string, fields: object) {
  const response = await fetch(`${gateway.origin}/v1/images/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, prompt: "A lighthouse", response_format: "b64_json", ...fields }),
  });
  return { status: response.status, reply: (await response.json()) as Reply };
}

const asked = () => upstream.received.at(-1)?.body ?? {};

describe("output format, compression and background", () => {
  test("are passed to a model that supports them, for the same price", async () => {
    const fields = { output_format: "webp", output_compression: 40, background: "transparent" };
    const { status, reply } = await generate("knows", fields);
    expect([status, reply.credits_charged]).toEqual([200, 5]);
    expect(asked()).toMatchObject({ model: KNOWS, quality: "medium", ...fields });
  });

  test.each([
    [{}],
    [{ output_format: null, output_compression: null, background: null }],
    [{ background: "auto" }],
  ])("are not sent to any model if not requested: %j", async (fields) => {
    for (const model of ["knows", "knows-not"]) {
      expect((await generate(model, fields)).status).toBe(200);
      for (const name of ["output_format", "output_compression", "background"])
        expect(asked()).not.toHaveProperty(name);
    }
  });

  test("are left out for a model that does not support them, which makes the image for its usual price", async () => {
    const fields = { output_format: "jpeg", output_compression: 50, background: "transparent" };
    const { status, reply } = await generate("knows-not", fields);
    expect([status, reply.credits_charged]).toEqual([200, 5]);
    for (const name of Object.keys(fields)) expect(asked()).not.toHaveProperty(name);
  });

  test.each([
    ["output_format", { output_format: "gif" }],
    ["output_compression", { output_format: "jpeg", output_compression: 101 }],
    ["output_compression", { output_format: "jpeg", output_compression: 1.5 }],
    ["background", { background: "green" }],
  ])("are refused if invalid: %s of %j", async (param, fields) => {
    const { status, reply } = await generate("knows", fields);
    expect([status, reply.error.param]).toEqual([400, param]);
  });
});

describe("images of the sandbox", () => {
  test.each([
    [{ output_format: "png", background: "transparent" }, "89504e47"],
    [{ output_compression: 50 }, "89504e47"],
    [{ output_format: "jpeg" }, "ffd8ff"],
    [{ output_format: "webp", output_compression: 30 }, "52494646"],
  ])("have the requested format: %j", async (fields, beginning) => {
    const { status, reply } = await generate("sandbox-image", fields);
    expect([status, reply.credits_charged]).toEqual([200, 4]);
    const bytes = Buffer.from(reply.data[0]?.b64_json ?? "", "base64");
    expect(bytes.toString("hex")).toStartWith(beginning);
  });
});
