import { describe, expect, test } from "bun:test";
import { MAX_FOREIGN_VALUES } from "../../../kit/index.ts";
import type { Provider } from "../../contract.ts";
import type { ImageRequest } from "../../media/media-contract.ts";
import { failureFrom, never } from "../../outbound/testing.ts";
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

describe("a picture", () => {
  test("inside the reply has the size that its bytes say", async () => {
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

  test("that the server hosts is fetched, without our key", async () => {
    const server = startMediaServer(({ path }) =>
      path === "/files/a.png"
        ? new Response(pngBytes(640, 480), { headers: { "content-type": "text/plain" } })
        : Response.json({ data: [{ url: `${server.baseUrl.replace("/v1", "")}/files/a.png` }] }),
    );
    expect(await make(server.provider())).toMatchObject([{ mediaType: "image/png", width: 640 }]);
    expect(server.seen[1]?.headers.has("authorization")).toBe(false);
    await server.close();
  });

  test("may be written as an address of its own", async () => {
    const url = `data:image/png;base64,${base64(pngBytes(64, 64))}`;
    for (const item of [{ url }, { b64_json: url }]) {
      const server = startMediaServer(() => Response.json({ data: [item] }));
      expect(await make(server.provider())).toMatchObject([{ width: 64 }]);
      await server.close();
    }
  });

  test("is asked for at a deployment where the operator gives a version", async () => {
    const server = startMediaServer(() => Response.json({ data: [PICTURE] }));
    const origin = server.baseUrl.replace("/v1", "");
    await make(server.provider("azure", { baseUrl: origin, apiVersion: "2025-04-01" }), {}, "my image");
    expect(server.seen[0]?.path).toBe(
      "/openai/deployments/my%20image/images/generations?api-version=2025-04-01",
    );
    await server.close();
  });
});

describe("several pictures", () => {
  test("are never more than were asked for", async () => {
    const server = startMediaServer(() => Response.json({ data: [PICTURE, PICTURE, PICTURE] }));
    expect(await make(server.provider(), { n: 2 })).toHaveLength(2);
    await server.close();
  });

  test.each([null, {}, "words", { b64_json: "" }, { url: null }])(
    "are counted without what holds none: %j",
    async (nothing) => {
      const server = startMediaServer(() => Response.json({ data: [nothing, PICTURE, nothing, PICTURE] }));
      expect(await make(server.provider(), { n: 1 })).toHaveLength(1);
      expect(await make(server.provider(), { n: 2 })).toHaveLength(2);
      await server.close();
    },
  );

  test("are several calls where one brings fewer", async () => {
    const server = startMediaServer(({ body }) =>
      Response.json({ data: Array.from({ length: Number(body["n"]) }, () => PICTURE) }),
    );
    expect(await make(server.provider("xai"), { n: 10 })).toHaveLength(10);
    expect(server.seen.map(({ body }) => body["n"])).toEqual([3, 3, 3, 1]);
    expect(await make(server.provider("openrouter"), { n: 6 })).toHaveLength(6);
    expect(server.seen).toHaveLength(10);
    await server.close();
  });

  test("of which some failed are those that were made", async () => {
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
  ])("%d is %s, and nothing secret stands in it", async (status, kind) => {
    const message = `Billing of ${TEST_KEY} at https://api.acme.example/x is wrong`;
    const failure = await failureOf(() => Response.json({ error: { message } }, { status }));
    expect(failure.kind).toBe(kind as never);
    expect(failure.publicMessage).not.toContain(TEST_KEY);
    expect(failure.publicMessage).not.toContain("acme.example");
  });

  test("429 says how long to wait", async () => {
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
    ["no picture", () => Response.json({ data: [] })],
    ["an empty item", () => Response.json({ data: [{}] })],
    ["data of another kind", () => Response.json({ data: "x" })],
    ["base64 of no picture", () => Response.json({ data: [{ b64_json: "aGVsbG8=" }] })],
    ["SVG", () => Response.json({ data: [{ b64_json: base64(Buffer.from("<svg xmlns='x'/>")) }] })],
    ["sound", () => Response.json({ data: [{ b64_json: base64(Buffer.from("ID3aaaaaaaaaaa")) }] })],
    ["an address inside", () => Response.json({ data: [{ url: "https://169.254.169.254/a.png" }] })],
    ["an address on this machine", () => Response.json({ data: [{ url: "http://127.0.0.1:1/a.png" }] })],
    ["a file of this machine", () => Response.json({ data: [{ url: "file:///etc/passwd" }] })],
    ["a redirect", () => Response.redirect("https://example.com/")],
  ])("with a 200 but %s", async (_, answer) => {
    expect((await failureOf(answer)).kind).toBe("unavailable");
  });

  test("with a 200 but more values than we read, around a picture that is there", async () => {
    const many = `{"more":[${"{},".repeat(MAX_FOREIGN_VALUES / 6)}{}],"data":[${JSON.stringify(PICTURE)}]}`;
    expect(await failureOf(() => new Response(many))).toMatchObject({
      kind: "unavailable",
      publicMessage: "The model's provider sent an answer that could not be read.",
      detail: { targetHealth: "up" },
    });
  });

  test("inside a 200 is one", async () => {
    const error = { message: "Your prompt was blocked.", code: "content_filter" };
    expect(await failureOf(() => Response.json({ error }))).toMatchObject({
      kind: "rejected",
      publicMessage: "Your prompt was blocked.",
    });
    const moderated = { data: [{ url: "https://example.com/a.png", respect_moderation: false }] };
    expect((await failureOf(() => Response.json(moderated))).kind).toBe("rejected");
  });

  test("of one picture by its content leaves the others", async () => {
    const moderated = { ...PICTURE, respect_moderation: false };
    const server = startMediaServer(() => Response.json({ data: [PICTURE, moderated, PICTURE] }));
    expect(await make(server.provider(), { n: 3 })).toHaveLength(2);
    await server.close();
  });

  test("of a caller who leaves is his own reason", async () => {
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

test("a server that makes no pictures has none to give", async () => {
  const server = startMediaServer(() => new Response());
  expect(server.provider("deepseek").image).toBeUndefined();
  expect(server.provider("groq").image).toBeUndefined();
  await server.close();
});
