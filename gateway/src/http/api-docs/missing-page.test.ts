import { describe, expect, test } from "bun:test";
import { createEdge } from "../testing.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
const MISTYPED = "/consol/CANARY?CANARY=1";

function ask(path: string, accept: string, method = "GET"): Promise<Response> {
  const mounts = [{ path: "/console", handle: async () => new Response() }];
  return createEdge({ deps: { mounts } }).send(path, { key: null, method, headers: { accept } });
}

const typeOf = (response: Response) => response.headers.get("content-type") ?? "";

describe("the response for an unknown path", () => {
  test("is an HTML page with links for a browser, and contains nothing of the request", async () => {
    const response = await ask(MISTYPED, BROWSER);
    expect([response.status, typeOf(response)]).toEqual([404, "text/html; charset=utf-8"]);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    const html = await response.text();
    expect(html).toContain("<h1>There is nothing at this address</h1>");
    expect(html).toContain('href="/console"');
    expect(html).toContain(`nonce="${/'nonce-([^']+)'/.exec(policy)?.[1]}"`);
    expect(html).not.toContain("CANARY");
    expect(html).not.toContain("<script");
  });

  test.each([
    ["/api/v1/models", "Did you mean /v1/models?"],
    ["/embeddings", "Embeddings are not offered here."],
  ])("suggests what was probably meant: %s", async (path, hint) => {
    const html = await (await ask(path, BROWSER)).text();
    expect(html).toContain(`has been deleted. ${hint}</p>`);
    expect(html).toContain('href="/docs"');
  });

  test("is the same page for an unknown file of the library", async () => {
    const [file, mistyped] = await Promise.all(
      ["/library/CANARY", MISTYPED].map((path) => ask(path, BROWSER)),
    );
    expect(file?.status).toBe(404);
    const words = async (response: Response | undefined) =>
      (await response?.text())?.replaceAll(/nonce="[^"]+"/g, "");
    expect(await words(file)).toBe((await words(mistyped)) ?? "");
  });

  test.each([
    "*/*",
    "application/json",
    "application/json, text/html, */*",
    "application/json, text/html;q=0.9",
    "text/html;q=0.5, */*;q=0.8",
    "text/html;q=0",
    "text/html;q=CANARY",
    "image/avif,image/*,*/*;q=0.8",
    "",
  ])("is JSON if the Accept header is %p", async (accept) => {
    const response = await ask(MISTYPED, accept);
    expect([response.status, typeOf(response)]).toEqual([404, "application/json"]);
    expect(await response.json()).toEqual({
      error: {
        code: "validation_error",
        message: "There is nothing at this path. GET /docs lists all paths.",
        request_id: response.headers.get("x-request-id") ?? "",
      },
    });
  });

  test.each([
    "/v1",
    "/v1/nope",
    "/functions",
    "/functions/v1/nope",
    "/openapi.json/",
    "/healthz/",
    "/metrics/x",
  ])("is JSON for %s, even for a browser", async (path) => {
    expect(typeOf(await ask(path, BROWSER))).toBe("application/json");
  });

  test("is JSON for a POST, and in a process that serves only health checks", async () => {
    expect(typeOf(await ask(MISTYPED, BROWSER, "POST"))).toBe("application/json");
    const edge = createEdge({ deps: { isHealthAlone: true } });
    const response = await edge.send(MISTYPED, { key: null, headers: { accept: BROWSER } });
    expect([response.status, typeOf(response)]).toEqual([404, "application/json"]);
  });
});
