import { describe, expect, test } from "bun:test";
import type { ImageRequest, Provider } from "../../../contract/index.ts";
import { MAX_FOREIGN_VALUES } from "../../../kit/index.ts";
import { failureFrom, never } from "../../../outbound/testing.ts";
import { base64, pngBytes, startMediaServer, TEST_KEY } from "./media-testing.ts";

const REQUEST: ImageRequest = { prompt: "a cat", aspectRatio: "1:1", tier: "1k", n: 1 };
const CONTEXT = { requestId: "r", signal: never() };
const PICTURE = { b64_json: base64(pngBytes()) };

function make(provider: Provider, request: Partial<ImageRequest> = {}, model = "m") {
  if (provider.image === undefined) throw new Error("it makes pictures");
  return provider.image.makeImages(model, { ...REQUEST, ...request }, CONTEXT);
}

/** The failure caused by a server that answers like this. */
async function failureOf(answer: () => Response, request: Partial<ImageRequest> = {}) {
  const server = startMediaServer(answer);
  try {
    return await failureFrom(make(server.provider(), request));
  } finally {
    await server.close();
  }
}

describe("an image", () => {
  test("inside the reply gets its size and type from its bytes", async () => {
    const server = startMediaServer(() =>
      Response.json({ data: [{ b64_json: base64(pngBytes(1536, 1024)) }], usage: { output_tokens: 4160 } }),
    );
    const made = await make(server.provider(), {}, "gpt-image-1.5");
    expect(made).toEqual([
      { bytes: expect.anything(), mediaType: "image/png", width: 1536, height: 1024, durationMs: null },
    ]);
    expect(server.seen[0]?.path).toBe("/v1/images/generations");
    expect(server.seen[0]?.headers.get("authorization")).toBe(`Bearer ${TEST_KEY}`);
    await server.close();
  });

  test("that the server hosts is fetched without our API key", async () => {
    const server = startMediaServer(({ path }) =>
      path === "/files/a.png"
        ? new Response(pngBytes(640, 480), { headers: { "content-type": "text/plain" } })
        : Response.json({ data: [{ url: `${server.baseUrl.replace("/v1", "")}/files/a.png` }] }),
    );
    expect(await make(server.provider())).toMatchObject([{ mediaType: "image/png", width: 640 }]);
    expect(server.seen[1]?.headers.has("authorization")).toBe(false);
    await server.close();
  });

  test("may be a data URL", async () => {
    const url = `data:image/png;base64,${base64(pngBytes(64, 64))}`;
    for (const item of [{ url }, { b64_json: url }]) {
      const server = startMediaServer(() => Response.json({ data: [item] }));
      expect(await make(server.provider())).toMatchObject([{ width: 64 }]);
      await server.close();
    }
  });

  test("is requested from a deployment if the operator configures an API version", async () => {
    const server = startMediaServer(() => Response.json({ data: [PICTURE] }));
    const origin = server.baseUrl.replace("/v1", "");
    await make(server.provider("azure", { baseUrl: origin, apiVersion: "2025-04-01" }), {}, "my image");
    expect(server.seen[0]?.path).toBe(
      "/openai/deployments/my%20image/images/generations?api-version=2025-04-01",
    );
    await server.close();
  });
});

describe("several images", () => {
  test("are never more than were requested", async () => {
    const server = startMediaServer(() => Response.json({ data: [PICTURE, PICTURE, PICTURE] }));
    expect(await make(server.provider(), { n: 2 })).toHaveLength(2);
    await server.close();
  });

  test.each([null, {}, "words", { b64_json: "" }, { url: null }])(
    "are counted without items that contain no image: %j",
    async (nothing) => {
      const server = startMediaServer(() => Response.json({ data: [nothing, PICTURE, nothing, PICTURE] }));
      expect(await make(server.provider(), { n: 1 })).toHaveLength(1);
      expect(await make(server.provider(), { n: 2 })).toHaveLength(2);
      await server.close();
    },
  );

  test("take several calls if the vendor makes fewer per call", async () => {
    const server = startMediaServer(({ body }) =>
      Response.json({ data: Array.from({ length: Number(body["n"]) }, () => PICTURE) }),
    );
    expect(await make(server.provider("xai"), { n: 10 })).toHaveLength(10);
    expect(server.seen.map(({ body }) => body["n"])).toEqual([3, 3, 3, 1]);
    expect(await make(server.provider("openrouter"), { n: 6 })).toHaveLength(6);
    expect(server.seen).toHaveLength(10);
    await server.close();
  });

  test("are those that were made if some calls fail", async () => {
    let calls = 0;
    const server = startMediaServer(() => {
      calls += 1;
      return calls === 2 ? new Response("{}", { status: 500 }) : Response.json({ data: [PICTURE, {}] });
    });
    expect(await make(server.provider("openrouter"), { n: 3 })).toHaveLength(2);
    await server.close();
  });
});

describe("a failure", () => {
  test.each([
    [400, "rejected"],
    [401, "unauthorized"],
    [404, "unauthorized"],
    [429, "rate_limited"],
    [500, "unavailable"],
    [503, "unavailable"],
  ])("%d is %s, and its message contains neither our key nor the host", async (status, kind) => {
    const message = `Billing of ${TEST_KEY} at https://api.acme.example/x is wrong`;
    const failure = await failureOf(() => Response.json({ error: { message } }, { status }));
    expect(failure.kind).toBe(kind as never);
    expect(failure.publicMessage).not.toContain(TEST_KEY);
    expect(failure.publicMessage).not.toContain("acme.example");
  });

  test("429 has the retry-after of the provider", async () => {
    const failure = await failureOf(
      () => new Response("{}", { status: 429, headers: { "retry-after": "7" } }),
    );
    expect(failure.detail.retryAfterSeconds).toBe(7);
  });

  test.each([
    ["HTML", () => new Response("<html>oops</html>", { headers: { "content-type": "text/html" } })],
    ["nothing", () => new Response("")],
    ["null", () => Response.json(null)],
    ["a list", () => Response.json([])],
    ["no image", () => Response.json({ data: [] })],
    ["an empty item", () => Response.json({ data: [{}] })],
    ["data of another kind", () => Response.json({ data: "x" })],
    ["base64 of something else", () => Response.json({ data: [{ b64_json: "aGVsbG8=" }] })],
    ["SVG", () => Response.json({ data: [{ b64_json: base64(Buffer.from("<svg xmlns='x'/>")) }] })],
    ["audio", () => Response.json({ data: [{ b64_json: base64(Buffer.from("ID3aaaaaaaaaaa")) }] })],
    ["an internal address", () => Response.json({ data: [{ url: "https://169.254.169.254/a.png" }] })],
    ["a loopback address", () => Response.json({ data: [{ url: "http://127.0.0.1:1/a.png" }] })],
    ["a file URL", () => Response.json({ data: [{ url: "file:///etc/passwd" }] })],
    ["a redirect", () => Response.redirect("https://example.com/")],
  ])("is a 200 with %s", async (_, answer) => {
    expect((await failureOf(answer)).kind).toBe("unavailable");
  });

  test("is a 200 with an image and more values than we parse", async () => {
    const many = `{"more":[${"{},".repeat(MAX_FOREIGN_VALUES / 6)}{}],"data":[${JSON.stringify(PICTURE)}]}`;
    expect(await failureOf(() => new Response(many))).toMatchObject({
      kind: "unavailable",
      publicMessage: "The model's provider sent an answer that could not be read.",
      detail: { targetHealth: "up" },
    });
  });

  test("is an error or a moderated image inside a 200", async () => {
    const error = { message: "Your prompt was blocked.", code: "content_filter" };
    expect(await failureOf(() => Response.json({ error }))).toMatchObject({
      kind: "rejected",
      publicMessage: "Your prompt was blocked.",
    });
    const moderated = { data: [{ url: "https://example.com/a.png", respect_moderation: false }] };
    expect((await failureOf(() => Response.json(moderated))).kind).toBe("rejected");
  });

  test("of one image by moderation keeps the others", async () => {
    const moderated = { ...PICTURE, respect_moderation: false };
    const server = startMediaServer(() => Response.json({ data: [PICTURE, moderated, PICTURE] }));
    expect(await make(server.provider(), { n: 3 })).toHaveLength(2);
    await server.close();
  });

  test("is the caller's abort reason if the caller aborts", async () => {
    const controller = new AbortController();
    const reason = new Error("left");
    const server = startMediaServer(() => {
      controller.abort(reason);
      return new Promise(() => {});
    });
    const { image } = server.provider();
    const context = { requestId: "r", signal: controller.signal };
    const ended = await image?.makeImages("m", REQUEST, context).catch((error) => error);
    expect(ended).toBe(reason);
    await server.close();
  });
});

test("a vendor without image generation has no image provider", async () => {
  const server = startMediaServer(() => new Response());
  expect(server.provider("deepseek").image).toBeUndefined();
  expect(server.provider("groq").image).toBeUndefined();
  await server.close();
});
