import { describe, expect, test } from "bun:test";
import { AppError, ERROR_CODES, parseUuid } from "../kit/index.ts";
import { type Log, noopSpan, silentLog, type Tracer } from "../telemetry/index.ts";
import {
  CHAT_BODY,
  CHAT_PATH,
  createEdge,
  MEMBER_ID,
  nativeErrorOf,
  sendChat,
  USAGE_PATH,
} from "./testing.ts";

describe("every reply", () => {
  test("carries a request id, the version, no-store and nosniff, on success and on failure", async () => {
    const edge = createEdge();
    for (const response of [
      await sendChat(edge, CHAT_BODY),
      await sendChat(edge, "{"),
      await edge.send("/nope"),
      await edge.send("/v1/nope"),
      await edge.send("/v1/models"),
      await edge.send("/healthz"),
    ]) {
      const { headers } = response;
      expect(parseUuid(headers.get("x-request-id") ?? "")?.charAt(14)).toBe("7");
      expect(headers.get("x-api-version")).toBe("1.0.0");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-type")).toBe("application/json");
    }
  });
});

describe("checks run in the order of the contract; the first that fails decides the response", () => {
  /** Wrong in every way at once; each step fixes the first thing that was refused. */
  test("path, method, key, organization, scope, body size, content type, content encoding", async () => {
    const edge = createEdge({ settings: { bodyBytes: 100 } });
    const bad = { stream: "x", pad: "x".repeat(200) };
    const steps: [string, number, () => Promise<Response>][] = [
      ["validation_error", 404, () => edge.send("/functions/v1/api-v1-chats", { method: "PUT", key: null })],
      ["validation_error", 405, () => edge.send(CHAT_PATH, { method: "PUT", key: null })],
      ["unauthorized", 401, () => sendChat(edge, bad, { key: null })],
      ["invalid_key", 401, () => sendChat(edge, bad, { key: "malformed" })],
      ["key_not_found", 401, () => sendChat(edge, bad, { key: "unknown" })],
      ["org_inactive", 403, () => sendChat(edge, bad, { key: "inactive" })],
      ["scope_denied", 403, () => sendChat(edge, bad, { key: "usage" })],
      ["validation_error", 413, () => sendChat(edge, bad, { headers: { "content-type": "text/plain" } })],
      ["validation_error", 415, () => sendChat(edge, "{", { headers: { "content-type": "text/plain" } })],
      ["validation_error", 415, () => sendChat(edge, "{", { headers: { "content-encoding": "gzip" } })],
    ];
    for (const [code, status, send] of steps) {
      const response = await send();
      expect([code, response.status]).toEqual([(await nativeErrorOf(response)).code, status]);
    }
    expect(edge.calls).toHaveLength(0);
  });

  test("JSON before fields, fields before member, member before model, model before idempotency", async () => {
    const edge = createEdge();
    const headers = { "x-member-user-id": "nobody", "idempotency-key": "two words" };
    const unknownModel = { ...CHAT_BODY, model: "unknown" };
    const messages = [
      await sendChat(edge, '{"model":1,"model":2}', { headers }),
      await sendChat(edge, { ...unknownModel, messages: [] }, { headers }),
      await sendChat(edge, unknownModel, { headers }),
      await sendChat(edge, unknownModel, { headers: { ...headers, "x-member-user-id": MEMBER_ID } }),
      await sendChat(edge, CHAT_BODY, { headers: { ...headers, "x-member-user-id": MEMBER_ID } }),
    ].map(async (response) => (await nativeErrorOf(response)).message.split(":")[0]);
    expect(await Promise.all(messages)).toEqual([
      "model",
      "messages",
      "X-Member-User-Id",
      "model",
      "Idempotency-Key",
    ]);
    expect(edge.calls).toHaveLength(0);
  });

  test("an empty body is refused as empty, not for its missing content type", async () => {
    const response = await createEdge().send(CHAT_PATH, { method: "POST" });
    expect(await nativeErrorOf(response)).toEqual({
      code: "validation_error",
      message: "body: must be valid JSON; it is empty",
    });
  });
});

describe("paths and methods", () => {
  test("an unknown path gets the main interface's error; under /v1, the compatible interface's error", async () => {
    const edge = createEdge();
    expect((await nativeErrorOf(await edge.send("/nope", { key: null }))).code).toBe("validation_error");
    const compatible = await edge.send("/v1/nope", { key: null });
    expect(await compatible.json()).toEqual({
      error: {
        message: "There is nothing at this path. GET /docs lists all paths.",
        type: "invalid_request_error",
        param: null,
        code: "validation_error",
      },
    });
  });

  test.each(["/functions/v1/api-v1-chat/", "//functions/v1/api-v1-chat", "/functions/v1/api-v1-chat%00"])(
    "%s is 404",
    async (path) => {
      expect((await createEdge().send(path, { method: "POST", body: "{}" })).status).toBe(404);
    },
  );

  test("a wrong method is 405 with the allowed methods, before the key is checked", async () => {
    const edge = createEdge();
    for (const method of ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"]) {
      const response = await edge.send(CHAT_PATH, { method, key: null });
      expect([method, response.status, response.headers.get("allow")]).toEqual([method, 405, "POST"]);
    }
  });

  test("HEAD is answered wherever GET is, with the status and the headers of GET, its length, and no body", async () => {
    const edge = createEdge();
    for (const path of ["/v1/models", "/v1/models/acme-chat", "/v1/models/nope", USAGE_PATH, "/healthz"]) {
      const [got, head] = [await edge.send(path), await edge.send(path, { method: "HEAD" })];
      const { byteLength } = await got.arrayBuffer();
      expect([path, head.status, head.headers.get("content-length")]).toEqual([
        path,
        got.status,
        String(byteLength),
      ]);
      expect((await head.arrayBuffer()).byteLength).toBe(0);
      expect([...head.headers.keys()]).toEqual(expect.arrayContaining([...got.headers.keys()]));
      const put = await edge.send(path, { method: "PUT" });
      expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });

  test("a Host header with two values is refused", async () => {
    const response = await createEdge().send(USAGE_PATH, { headers: { host: "a, b" } });
    expect(response.status).toBe(400);
  });
});

describe("errors", () => {
  test.each(["malformed", "revoked", "expired"])("a key that is %s is told so", async (key) => {
    const { code, message } = await nativeErrorOf(await createEdge().send(USAGE_PATH, { key }));
    expect([code, message.includes(key)]).toEqual(["invalid_key", true]);
  });

  test("every 401 names the scheme of authentication, and nothing else does", async () => {
    const edge = createEdge();
    for (const path of [USAGE_PATH, "/v1/models"]) {
      for (const key of [null, "malformed", "unknown", "chat"]) {
        const { status, headers } = await edge.send(path, { key, peer: `203.0.113.${path.length}` });
        expect([key, headers.get("www-authenticate")]).toEqual([key, status === 401 ? "Bearer" : null]);
      }
    }
    const metrics = await edge.send("/metrics", { key: null });
    expect([metrics.status, metrics.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });

  test("an unexpected error is a 500 without details, and the log contains its cause", async () => {
    const edge = createEdge({
      generation: { chat: () => Promise.reject(new Error("secret detail at 10.0.0.1")) },
    });
    const response = await sendChat(edge, CHAT_BODY);
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).not.toContain("secret");
    expect(JSON.parse(text).error.code).toBe("internal_error");
    expect(edge.logged).toHaveLength(1);
    expect(edge.logged[0]?.fields["request_id"]).toBe(response.headers.get("x-request-id"));
    const logged = edge.logged[0]?.fields["error"];
    expect(logged instanceof Error && String(logged.cause)).toContain("secret detail");
  });

  test("a provider's error is logged with model and target; clients and the access log see no target", async () => {
    const lines: [string, unknown, unknown][] = [];
    const note = (event: string, fields: Record<string, unknown> = {}) =>
      void lines.push([event, fields["model"], fields["target"]]);
    const log = { ...silentLog, info: note, error: note };
    const error = new AppError("internal_error", "no", { status: 502, target: "acme/chat-1" });
    const failing = createEdge({ generation: { chat: () => Promise.reject(error) }, deps: { log } });
    const response = await sendChat(failing, CHAT_BODY);
    expect(await response.text()).not.toContain("chat-1");
    await sendChat(createEdge({ deps: { log } }), CHAT_BODY);
    expect(lines).toEqual([
      ["request_failed", "acme-chat", "acme/chat-1"],
      ["request", "acme-chat", undefined],
      ["request", "acme-chat", undefined],
    ]);
  });

  test.each([...ERROR_CODES])("%s reaches the client with its own message and status", async (code) => {
    const edge = createEdge({
      generation: {
        chat: () => Promise.reject(new AppError(code, "Plain words.", { internal: "hidden" })),
      },
    });
    const response = await sendChat(edge, CHAT_BODY);
    const { code: told, message } = await nativeErrorOf(response);
    expect([told, message]).toEqual([code, expect.stringMatching(/^Plain words\./)]);
    expect(response.status).toBe(new AppError(code, "").status);
  });
});

describe("under pressure", () => {
  test("a call above the limit of running calls is 503 with Retry-After, while /healthz still answers", async () => {
    const release = Promise.withResolvers<never>();
    const edge = createEdge({
      settings: { maxRunningCalls: 1 },
      generation: { chat: () => release.promise },
    });
    const first = sendChat(edge, CHAT_BODY);
    const second = await sendChat(edge, CHAT_BODY);
    expect([second.status, second.headers.get("retry-after")]).toEqual([503, "1"]);
    expect((await edge.send("/healthz")).status).toBe(200);
    release.reject(new AppError("internal_error", "done"));
    await first;
    expect(edge.app.running).toBe(0);
  });

  test("400 wrong keys from one address run into 429, while a valid key from that address is served", async () => {
    const edge = createEdge();
    const wrong = Array.from({ length: 400 }, () => edge.send(USAGE_PATH, { key: "unknown" }));
    expect((await edge.send(USAGE_PATH)).status).toBe(200);
    const statuses = new Set((await Promise.all(wrong)).map((response) => response.status));
    expect([...statuses].sort()).toEqual([401, 429]);
  });
});

describe("tracing", () => {
  test("gives each call a span that continues the caller's trace and ends with the call's outcome", async () => {
    const spans: Record<string, unknown>[] = [];
    const tracer: Tracer = {
      enabled: true,
      start(name, traceparent) {
        const span: Record<string, unknown> = { name, traceparent };
        spans.push(span);
        return {
          child: () => noopSpan,
          set: (key, value) => void Object.assign(span, { [key]: value }),
          end: (failure) => void Object.assign(span, { failure: failure ?? null }),
        };
      },
      close: async () => {},
    };
    const edge = createEdge({ deps: { tracer } });
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const response = await sendChat(edge, CHAT_BODY, { headers: { traceparent } });
    await sendChat(edge, { ...CHAT_BODY, model: "unknown" });
    const name = `POST ${CHAT_PATH}`;
    const id = response.headers.get("x-request-id");
    expect(spans).toMatchObject([
      { name, traceparent, "http.response.status_code": 200, "bursar.request_id": id, failure: null },
      { name, traceparent: null, "http.response.status_code": 403, failure: "model_not_allowed" },
    ]);
  });
});

describe("a mount", () => {
  test("gets every request under its path, with the client's address", async () => {
    const seen: string[] = [];
    const handle = async (request: Request, address: string) => {
      seen.push(`${request.method} ${new URL(request.url).pathname} ${address}`);
      return new Response("mounted");
    };
    const edge = createEdge({ deps: { mounts: [{ path: "/console", handle }] } });
    for (const path of ["/console", "/console/", "/console/billing/x"]) {
      expect(await (await edge.send(path, { key: null })).text()).toBe("mounted");
    }
    expect((await edge.send("/consoles")).status).toBe(404);
    expect(seen).toEqual([
      "GET /console 203.0.113.7",
      "GET /console/ 203.0.113.7",
      "GET /console/billing/x 203.0.113.7",
    ]);
  });

  test("is logged and counted with the request's method and a route of the mount's closed set", async () => {
    const routeOf = ({ url }: Request) => (url.endsWith("/keys") ? "/console/keys" : "/console");
    const handle = async () => new Response("mounted");
    const lines: unknown[] = [];
    const info: Log["info"] = (_, fields) => void lines.push([fields?.["method"], fields?.["route"]]);
    const mounts = [{ path: "/console", handle, routeOf }];
    const edge = createEdge({ deps: { mounts, log: { ...silentLog, info } } });
    await edge.send("/console/keys", { key: null });
    await edge.send("/console/keys", { key: null, method: "POST", body: "{}" });
    await edge.send("/console/CANARY", { key: null, method: "MKCOL" });
    expect(lines).toEqual([
      ["GET", "/console/keys"],
      ["POST", "/console/keys"],
      ["other", "/console"],
    ]);
    const metrics = await (await edge.send("/metrics", { key: null, peer: "127.0.0.1" })).text();
    expect(metrics).toContain(
      'bursar_http_requests_total{method="POST",route="/console/keys",status="200"} 1',
    );
    expect(metrics).not.toContain("CANARY");
  });

  test("has a request id on every response: a new one, or the one that the mount's response already has", async () => {
    const handle = async (request: Request) => {
      const isPassedOn = new URL(request.url).pathname === "/console/play";
      return new Response("mounted", { headers: isPassedOn ? { "x-request-id": "of the call" } : {} });
    };
    const edge = createEdge({ deps: { mounts: [{ path: "/console", handle }] } });
    const idAt = async (path: string) => (await edge.send(path, { key: null })).headers.get("x-request-id");
    expect(parseUuid((await idAt("/console")) ?? "")?.charAt(14)).toBe("7");
    expect(await idAt("/console/play")).toBe("of the call");
  });
});
