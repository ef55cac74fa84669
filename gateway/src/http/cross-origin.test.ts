import { describe, expect, test } from "bun:test";
import { CHAT_BODY, CHAT_PATH, createEdge, sendChat } from "./testing.ts";

const FROM_PAGE = { origin: "https://app.example" };

function preflight(path: string, wanted?: string) {
  const headers: Record<string, string> = { ...FROM_PAGE, "access-control-request-method": "POST" };
  if (wanted !== undefined) headers["access-control-request-headers"] = wanted;
  return createEdge().send(path, { method: "OPTIONS", key: null, headers });
}

describe("a preflight", () => {
  test("allows every method and the headers that the page wants to send, even on a path that does not exist", async () => {
    const wanted = "authorization,content-type,x-stainless-lang";
    for (const path of [CHAT_PATH, "/v1/chat/completions", "/v1/embeddings", "/library/a.png"]) {
      const response = await preflight(path, wanted);
      expect(response.status).toBe(204);
      expect(await response.text()).toBe("");
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
        "access-control-allow-headers": wanted,
        "access-control-max-age": "7200",
        vary: "access-control-request-headers",
        "cache-control": "no-store",
      });
    }
  });

  test.each([undefined, "", "a".repeat(3_000), "x/y"])(
    "allows the usual headers if %j is wanted",
    async (wanted) => {
      const { headers } = await preflight("/v1/models", wanted);
      expect(headers.get("access-control-allow-headers")).toBe("authorization, content-type");
    },
  );

  test("is refused where pages of other origins may read nothing", async () => {
    for (const path of ["/healthz", "/docs", "/metrics"]) {
      const { status, headers } = await preflight(path);
      expect([path, status, headers.get("access-control-allow-origin")]).toEqual([path, 405, null]);
    }
  });

  test("names a method and comes from a page; any other OPTIONS is a 405", async () => {
    const edge = createEdge();
    expect((await edge.send(CHAT_PATH, { method: "OPTIONS", headers: FROM_PAGE })).status).toBe(405);
    const headers = { "access-control-request-method": "POST" };
    expect((await edge.send(CHAT_PATH, { method: "OPTIONS", headers })).status).toBe(405);
  });
});

describe("a page of another origin", () => {
  test("can read every reply of the API and every file, errors included, but gets no credentials", async () => {
    const edge = createEdge();
    for (const response of [
      await sendChat(edge, CHAT_BODY, { headers: FROM_PAGE }),
      await sendChat(edge, "{", { headers: FROM_PAGE }),
      await edge.send("/v1/models", { headers: FROM_PAGE, key: null }),
      await edge.send("/v1/nope", { headers: FROM_PAGE }),
      await edge.send("/functions/v1/nope", { headers: FROM_PAGE }),
      await edge.send("/functions/v1", { headers: FROM_PAGE }),
      await edge.send("/library/nope", { headers: FROM_PAGE }),
      await edge.send(CHAT_PATH, { method: "PUT", headers: FROM_PAGE }),
    ]) {
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-expose-headers")).toBe("*");
      expect(response.headers.has("access-control-allow-credentials")).toBe(false);
    }
  });

  test("can read nothing else", async () => {
    const edge = createEdge();
    for (const path of ["/", "/healthz", "/metrics", "/nope", "/v10/models", "/console", "/docs"]) {
      const response = await edge.send(path, { headers: FROM_PAGE });
      expect([path, response.headers.get("access-control-allow-origin")]).toEqual([path, null]);
    }
  });
});

test("a program gets no CORS headers", async () => {
  const { headers } = await sendChat(createEdge(), CHAT_BODY);
  expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
});
