import { describe, expect, test } from "bun:test";
import { CHAT_BODY, createEdge, sendChat } from "./testing.ts";

describe("health", () => {
  test("/healthz is 200 and /readyz is 503 with the reason, if the gateway is not ready", async () => {
    const edge = createEdge({
      deps: { readiness: async () => ({ ready: false, reason: "The database does not answer." }) },
    });
    expect((await edge.send("/healthz", { key: null })).status).toBe(200);
    const response = await edge.send("/readyz", { key: null });
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ status: "not_ready", reason: "The database does not answer." });
  });

  test("/healthz answers a challenge of at most 64 characters with a proof, and adds no proof otherwise", async () => {
    const edge = createEdge();
    const proof = async (challenge?: string) => {
      const asked = challenge === undefined ? {} : { headers: { "x-bursar-challenge": challenge } };
      return (await edge.send("/healthz", { key: null, ...asked })).headers.get("x-bursar-proof");
    };
    expect(await proof("c1")).toBe("proof for c1");
    expect(await proof()).toBeNull();
    expect(await proof("c".repeat(65))).toBeNull();
  });

  test("/readyz checks once for concurrent requests, and is 503 without details if the check fails", async () => {
    let asked = 0;
    const edge = createEdge({
      deps: {
        readiness: () => {
          asked++;
          return Promise.reject(new Error("secret host"));
        },
      },
    });
    const replies = await Promise.all(Array.from({ length: 50 }, () => edge.send("/readyz", { key: null })));
    expect(asked).toBe(1);
    expect(replies.every((response) => response.status === 503)).toBe(true);
    expect(await replies[0]?.text()).not.toContain("secret");
  });

  test("/metrics answers only requests from this machine or with the token", async () => {
    const edge = createEdge({ settings: { metricsToken: "a-long-enough-token" } });
    const status = async (init: { peer: string; headers?: Record<string, string> }) =>
      (await edge.send("/metrics", { key: null, ...init })).status;
    expect(await status({ peer: "127.0.0.1" })).toBe(200);
    expect(await status({ peer: "203.0.113.7" })).toBe(401);
    expect(await status({ peer: "127.0.0.1", headers: { "x-forwarded-for": "203.0.113.7" } })).toBe(401);
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    expect(await status({ peer: "203.0.113.7", headers: bearer("a-long-enough-token") })).toBe(200);
    expect(await status({ peer: "203.0.113.7", headers: bearer("a-long-enough-tokem") })).toBe(401);
    expect(await status({ peer: "203.0.113.7", headers: bearer("null") })).toBe(401);
  });

  test("/metrics in production needs the token: a proxy on this machine may not say whom it relays", async () => {
    const edge = createEdge({ settings: { metricsToken: "a-long-enough-token", isProduction: true } });
    const status = async (headers: Record<string, string>) =>
      (await edge.send("/metrics", { key: null, peer: "127.0.0.1", headers })).status;
    expect(await status({})).toBe(401);
    expect(await status({ authorization: "Bearer a-long-enough-token" })).toBe(200);
  });

  test("/metrics refuses a foreign host name from this machine (DNS rebinding) without the token", async () => {
    const edge = createEdge({ settings: { metricsToken: "a-long-enough-token" } });
    const status = async (host: string, headers: Record<string, string> = {}) =>
      (await edge.send("/metrics", { key: null, peer: "127.0.0.1", headers: { host, ...headers } })).status;
    for (const host of [
      "localhost:8080",
      "LOCALHOST",
      "127.0.0.1:8080",
      "[::1]:8080",
      "gateway:80",
      "a.localhost",
    ]) {
      expect([host, await status(host)]).toEqual([host, 200]);
    }
    for (const host of [
      "evil.example:8080",
      "localhost.evil.example",
      "127.0.0.1.evil.example",
      "127.0.0.1.",
    ]) {
      expect([host, await status(host)]).toEqual([host, 401]);
    }
    expect(await status("gateway.example", { authorization: "Bearer a-long-enough-token" })).toBe(200);
  });

  test("/metrics counts requests by route, without a client's path, model, organization or key id", async () => {
    const edge = createEdge();
    await sendChat(edge, { model: "CANARY", messages: [{ role: "user", content: "CANARY" }] });
    await edge.send("/CANARY?CANARY=1");
    await edge.send("/v1/models/CANARY");
    const response = await edge.send("/metrics", { key: null, peer: "127.0.0.1" });
    expect(response.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
    const text = await response.text();
    expect(text).toContain(
      'bursar_http_requests_total{method="POST",route="/functions/v1/api-v1-chat",status="403"} 1',
    );
    expect(text).toContain('bursar_http_refusals_total{code="model_not_allowed"} 2');
    expect(text).not.toContain("CANARY");
    expect(text).not.toContain("0190e3c2");
  });

  test("/readyz is 503 until everything that the start prints exists, and 200 from then on", async () => {
    let isPrepared = false;
    const edge = createEdge({ deps: { isPrepared: () => isPrepared } });
    const early = await edge.send("/readyz", { key: null });
    expect([early.status, await early.json()]).toEqual([
      503,
      { status: "not_ready", reason: "The start is not finished yet." },
    ]);
    isPrepared = true;
    expect((await edge.send("/readyz", { key: null })).status).toBe(200);
  });

  test("a process for background work answers /healthz, /readyz and /metrics only", async () => {
    const mount = { path: "/console", handle: async () => new Response("a page") };
    const edge = createEdge({ deps: { isHealthAlone: true, mounts: [mount] } });
    for (const path of ["/healthz", "/readyz", "/metrics"]) {
      const { status } = await edge.send(path, { key: null, peer: "127.0.0.1" });
      expect([path, status]).toEqual([path, 200]);
    }
    for (const path of [
      "/",
      "/docs",
      "/openapi.json",
      "/console",
      "/v1/models",
      "/v1/responses/x",
      "/files/x",
    ]) {
      const response = await edge.send(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.text()).toContain(
        '"This process does background work only; it answers /healthz, /readyz and /metrics."',
      );
    }
    expect((await sendChat(edge, CHAT_BODY)).status).toBe(404);
  });

  test("health, metrics and document paths accept only GET and HEAD", async () => {
    const edge = createEdge();
    for (const path of ["/healthz", "/readyz", "/metrics", "/openapi.json", "/docs", "/"]) {
      const response = await edge.send(path, { method: "POST", body: "{}" });
      expect([path, response.status, response.headers.get("allow")]).toEqual([path, 405, "GET, HEAD"]);
    }
    const head = await edge.send("/healthz", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });
});
