import { describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:net";
import { tryProviders } from "./try-providers.ts";

type Answer = (request: Request) => Response | Promise<Response>;

const SOON_MS = 80;
const LIST = { object: "list", data: [{ id: "m-1" }, { id: "m-2" }] };

/** Tries one provider of this kind, at a server that answers like this. */
async function tryAt(answer: Answer, kind = "openai-wire", path = "/v1", limitMs?: number) {
  const asked: string[] = [];
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { headers } = request;
      const key = headers.get("authorization") ?? headers.get("x-api-key") ?? headers.get("x-goog-api-key");
      asked.push(`${request.method} ${pathname}${search} ${key ?? headers.get("api-key")}`);
      return answer(request);
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  return { trial: await tryAddress(`${origin}${path}`, kind, limitMs), asked, origin };
}

/** With a long limit, because only the tests about silence wait for it. */
async function tryAddress(baseUrl: string, kind = "openai-wire", limitMs = 3_000) {
  const settings = new Map([["acme", { name: "acme", kind, baseUrl, apiKey: "k-1" }]]);
  return (await tryProviders(settings, { limitMs })).get("acme");
}

describe("trying a provider with a free request", () => {
  test.each([
    ["openai-wire", "/v1", "GET /v1/models Bearer k-1"],
    ["azure", "", "GET /openai/v1/models k-1"],
    ["anthropic", "/v1", "GET /v1/models?limit=1000 k-1"],
    ["google", "/v1beta", "GET /v1beta/models?pageSize=1000 k-1"],
    ["openrouter", "/api/v1", "GET /api/v1/key Bearer k-1"],
    ["cohere", "/v2", "GET /v1/models Bearer k-1"],
    ["replicate", "/v1", "GET /v1/account Bearer k-1"],
  ])("%s receives one GET request, with its key in a header", async (kind, path, expected) => {
    const { trial, asked } = await tryAt(() => Response.json(LIST), kind, path);
    expect(asked).toEqual([expected]);
    expect(trial).toMatchObject({ outcome: "answered", provesKey: true });
  });

  test.each(["bedrock", "vertex", "fal", "elevenlabs", "perplexity"])(
    "%s has no free endpoint and receives no request",
    async (kind) => {
      const { trial, asked } = await tryAt(() => Response.json(LIST), kind);
      expect([asked, trial]).toEqual([[], { outcome: "untried" }]);
    },
  );

  test("the models are known from a complete list only; otherwise they are null", async () => {
    const modelsOf = async (answer: unknown, kind?: string) =>
      (await tryAt(() => Response.json(answer), kind)).trial;
    const models = new Set(["m-1", "m-2"]);
    expect(await modelsOf(LIST)).toEqual({ outcome: "answered", provesKey: true, models });
    expect(await modelsOf({ models: [{ name: "models/m-1" }, { name: "m-2" }] }, "google")).toMatchObject({
      models,
    });
    for (const answer of [{ ...LIST, has_more: true }, { ...LIST, nextPageToken: "n" }, { data: 1 }, [], 7]) {
      expect(await modelsOf(answer)).toMatchObject({ outcome: "answered", models: null });
    }
    expect(await modelsOf(LIST, "xai")).toMatchObject({ outcome: "answered", models: null });
  });

  test.each([400, 401, 403])("%d is a refusal of the key", async (status) => {
    const { trial } = await tryAt(() => new Response("no k-1", { status }));
    expect(trial).toEqual({ outcome: "refused", status });
  });

  test("a service account is exchanged for a token, which is free, at the address in its file", async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const asked: string[] = [];
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        const form = new URLSearchParams(await request.text());
        asked.push(
          `${request.method} ${new URL(request.url).pathname} ${form.get("assertion")?.split(".").length}`,
        );
        return asked.length === 1
          ? Response.json({ access_token: "t", expires_in: 3_600 })
          : Response.json({ error: "invalid_grant" }, { status: 400 });
      },
    });
    const serviceAccount = {
      email: "a@b.iam",
      privateKey: String(privateKey.export({ type: "pkcs8", format: "pem" })),
      tokenUrl: `http://127.0.0.1:${server.port}/token`,
    };
    const settings = {
      name: "acme",
      kind: "vertex",
      baseUrl: null,
      apiKey: null,
      project: "p",
      serviceAccount,
    };
    const tryIt = async () => (await tryProviders(new Map([["acme", settings]]))).get("acme");
    expect(await tryIt()).toEqual({ outcome: "answered", provesKey: true, models: null });
    expect(await tryIt()).toEqual({ outcome: "refused", status: 400 });
    expect(asked).toEqual(["POST /token 3", "POST /token 3"]);
  });

  test("a 429 proves that the key is accepted", async () => {
    const { trial } = await tryAt(() => new Response("", { status: 429 }));
    expect(trial).toEqual({ outcome: "answered", provesKey: true, models: null });
  });

  test("any other response is unexpected, and is reported with its URL without the query", async () => {
    for (const status of [404, 503]) {
      const { trial, origin } = await tryAt(() => new Response("", { status }), "anthropic");
      expect(trial).toEqual({ outcome: "unexpected", status, asked: `${origin}/v1/models` });
    }
    const page = await tryAt(() => new Response("<!doctype html>"));
    expect(page.trial).toEqual({
      outcome: "unexpected",
      status: null,
      asked: `${page.origin}/v1/models`,
    });
  });

  test("a host that refuses, is silent, redirects or does not speak TLS is unreached", async () => {
    expect(await tryAddress("http://127.0.0.1:1/v1")).toMatchObject({
      outcome: "unreached",
      reason: expect.stringContaining("127.0.0.1:1/v1/models: ECONNREFUSED"),
    });
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => void silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as { port: number };
    expect(await tryAddress(`http://127.0.0.1:${port}/v1`, "openai-wire", SOON_MS)).toMatchObject({
      outcome: "unreached",
    });
    silent.close();
    const { asked, trial } = await tryAt(() => Response.redirect("https://elsewhere.example/"));
    expect([asked.length, trial?.outcome]).toEqual([1, "unreached"]);
    using plain = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json(LIST) });
    expect(await tryAddress(`https://127.0.0.1:${plain.port}/v1`)).toMatchObject({
      outcome: "unreached",
      reason: expect.not.stringContaining("ECONNREFUSED"),
    });
  });

  test("a body that arrives too slowly is given up at the time limit", async () => {
    const trickle = () => {
      let hasLeft = false;
      return new ReadableStream({
        async pull(controller) {
          await Bun.sleep(10);
          if (!hasLeft) controller.enqueue(Buffer.from(" "));
        },
        cancel() {
          hasLeft = true;
        },
      });
    };
    const { trial } = await tryAt(() => new Response(trickle()), "openai-wire", "/v1", SOON_MS);
    expect(trial).toEqual({ outcome: "unreached", reason: "no answer within 0.08 s" });
  });
});
