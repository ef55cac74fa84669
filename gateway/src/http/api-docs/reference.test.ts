import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { STATUSES_OF_CODE } from "../../kit/index.ts";
import { createEdge, USAGE_PATH } from "../testing.ts";
import { FACE_STYLE } from "./face.ts";
import { errorsOf } from "./route-errors.ts";

type Document = {
  openapi: string;
  info: { description: string };
  paths: Record<string, Record<string, { responses: Record<string, unknown>; operationId: string }>>;
  components: Record<"headers" | "schemas" | "securitySchemes", Record<string, unknown>>;
};

type Ref = { readonly $ref?: string };
type Content = Record<string, { readonly schema: Ref & { readonly contentSchema?: Ref } }>;
type Bodied = {
  readonly requestBody?: { readonly content: Content };
  readonly responses: Record<string, { readonly content: Content }>;
};
type Link = { readonly operationId: string; readonly parameters: Record<string, string> };

async function documentOf(edge = createEdge()): Promise<Document> {
  return (await (await edge.send("/openapi.json", { key: null })).json()) as Document;
}

describe("the OpenAPI document", () => {
  test("lists every route and no other, each with every error status it can have", async () => {
    const edge = createEdge();
    const document = await documentOf(edge);
    expect(document.openapi).toBe("3.1.0");
    const listed = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = edge.app.routes.map(
      ({ method, path }) => `${method} ${path.replace(":model{.+}", "{model}")}`,
    );
    expect(listed.sort()).toEqual([...served].sort());
    for (const route of edge.app.routes) {
      const path = route.path.replace(":model{.+}", "{model}");
      const responses = document.paths[path]?.[route.method.toLowerCase()]?.responses ?? {};
      const expected = new Set(["200", ...errorsOf(route).map(({ status }) => String(status))]);
      expect(new Set(Object.keys(responses))).toEqual(expected);
    }
  });

  test("lists the headers of each error response, and defines each header", async () => {
    const { paths, components } = await documentOf();
    const of = (path: string, status: number) => {
      const reply = paths[path]?.["post"]?.responses[status] as { headers: Record<string, { $ref: string }> };
      const names = Object.keys(reply.headers);
      for (const name of names) {
        expect(reply.headers[name]?.$ref).toBe(`#/components/headers/${name}`);
        expect(components.headers).toHaveProperty(name);
      }
      return names.slice(3);
    };
    const [native, openai] = ["/functions/v1/api-v1-chat", "/v1/chat/completions"] as const;
    // A provider refuses after admission, which has counted the call.
    const counted = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
    for (const status of [400, 500, 502]) expect(of(native, status)).toEqual(counted);
    expect(of(native, 413)).toEqual([]);
    for (const wire of [native, openai]) expect(of(wire, 402)).toContain("x-credits-missing");
    for (const status of [409, 429, 503]) expect(of(native, status)).toContain("Retry-After");
    expect(of(openai, 429)).toContain("x-ratelimit-reset-requests");
    const rate = ["limit", "remaining", "reset"].map((name) => `x-ratelimit-${name}-requests`);
    expect(of(openai, 502)).toEqual([...rate, "x-should-retry"]);
    expect(of(openai, 401)).toEqual(["WWW-Authenticate"]);
    expect(of(native, 405)).toEqual(["Allow"]);
  });

  test("is compressed for clients that accept it", async () => {
    const edge = createEdge();
    const packed = await edge.send("/openapi.json", {
      key: null,
      headers: { "accept-encoding": "gzip, br" },
    });
    const plain = await edge.send("/openapi.json", { key: null, headers: { "accept-encoding": "gzip;q=0" } });
    const of = (name: string) => [packed, plain].map(({ headers }) => headers.get(name));
    expect(of("content-encoding")).toEqual(["gzip", null]);
    expect(of("vary")).toEqual(["accept-encoding", "accept-encoding"]);
    expect(of("content-type")).toEqual(Array(2).fill("application/json"));
    const bytes = await packed.bytes();
    expect(bytes.length).toBeLessThan(30_000);
    expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(await plain.text());
  });

  test("contains neither the largest safe integer nor a negative minimum", async () => {
    const text = JSON.stringify(await documentOf());
    expect(text).not.toContain("9007199254740991");
    for (const [, least] of text.matchAll(/"minimum":(-\d+)/g)) expect(least).toBeUndefined();
  });

  test("describes a stream exactly on the routes that have one, and gives X-Efficiency no default there", async () => {
    const { paths } = await documentOf();
    const streamed = Object.entries(paths).filter(([, operations]) =>
      JSON.stringify(operations["post"]?.responses["200"] ?? {}).includes('"text/event-stream"'),
    );
    expect(streamed.map(([path]) => path)).toEqual([
      "/functions/v1/api-v1-chat",
      "/v1/chat/completions",
      "/v1/responses",
    ]);
    for (const [, { post }] of streamed) {
      const { parameters = [] } = post as unknown as { parameters?: { name: string; schema: object }[] };
      const { schema } = parameters.find(({ name }) => name === "X-Efficiency") ?? {};
      expect(schema).toEqual({ type: "string", pattern: "^(off|safe|structural)$" });
    }
  });

  test("describes a 503 as docs/errors.md does, with provider and charge only on routes that have them", async () => {
    const { paths } = await documentOf();
    const unavailable = (path: string, method: string) =>
      JSON.stringify(paths[path]?.[method]?.responses["503"]);
    const paid = ["the provider's limit is reached", "outcome unknown"];
    for (const words of ["overloaded", "database or file store", ...paid])
      expect(unavailable("/functions/v1/api-v1-chat", "post")).toContain(words);
    for (const words of paid) expect(unavailable(USAGE_PATH, "get")).not.toContain(words);
  });

  test("gives each operation a unique id, and each schema reference a target", async () => {
    const document = await documentOf();
    const names = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).map((operation) => operation.operationId),
    );
    expect(new Set(names).size).toBe(names.length);
    for (const [, name = ""] of JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      expect(document.components.schemas[name]).toBeDefined();
    }
    expect(document.components.securitySchemes["apiKey"]).toMatchObject({ type: "http", scheme: "bearer" });
  });

  test("names the schema of every body, and of what several of them have in common; none is called Error", async () => {
    const { paths, components } = await documentOf();
    const bodies = Object.values(paths).flatMap((operations) =>
      Object.values(operations as unknown as Record<string, Bodied>).flatMap(({ requestBody, responses }) =>
        [requestBody, ...Object.values(responses)].flatMap((body) => Object.entries(body?.content ?? {})),
      ),
    );
    for (const [type, { schema }] of bodies) {
      const { $ref } = type === "application/json" ? schema : (schema.contentSchema ?? {});
      expect($ref).toStartWith("#/components/schemas/");
    }
    const names = Object.keys(components.schemas);
    for (const name of [
      "Asset",
      "Balance",
      "Efficiency",
      "Model",
      "LedgerEntry",
      "UsageRequest",
      "ErrorReply",
    ])
      expect(names).toContain(name);
    expect(names).not.toContain("Error");
    expect(JSON.stringify(components.schemas["CreateChatReply"])).toContain("#/components/schemas/Balance");
  });

  test("links a job's submission with its polls, and a page of assets with the next and with deletion", async () => {
    const document = await documentOf();
    const operations = Object.values(document.paths).flatMap((each) => Object.values(each));
    const linked = operations.flatMap(({ operationId, responses }) => {
      const { links = {} } = responses["200"] as { links?: Record<string, Link> };
      return Object.values(links).map((link) => ({ from: operationId, ...link }));
    });
    expect(linked.map(({ from, operationId }) => `${from} ${operationId}`)).toEqual([
      "createVideo getVideo",
      "listAssets listAssets",
      "listAssets deleteAsset",
    ]);
    for (const { operationId, parameters } of linked) {
      const to = operations.find((each) => each.operationId === operationId) as unknown as {
        parameters: { name: string }[];
      };
      for (const name of Object.keys(parameters))
        expect(to.parameters.map((each) => each.name)).toContain(name);
    }
  });

  test("shows keys with the configured prefix", async () => {
    const document = await documentOf(createEdge({ settings: { keyPrefix: "acme_" } }));
    expect(document.info.description).toContain("`Authorization: Bearer acme_…`");
    expect(document.components.securitySchemes["apiKey"]).toHaveProperty(
      "description",
      "Your organization's API key, `acme_…`.",
    );
    expect(JSON.stringify(document)).not.toContain("svc_live_");
  });

  test("names models by the configured alias prefix", async () => {
    const text = JSON.stringify(await documentOf(createEdge({ settings: { aliasPrefix: "acme-" } })));
    const named = new Set([...text.matchAll(/"model":"(\w+-\w+)"/g)].map(([, model]) => model));
    for (const alias of ["fast", "code", "image", "video"]) expect(named).toContain(`acme-${alias}`);
    expect(text).not.toContain("svc-");
  });

  test("lists only statuses that the error codes have", () => {
    for (const route of createEdge().app.routes) {
      for (const { status, code } of errorsOf(route)) {
        const missingModel = route.wire === "openai" && code === "model_not_allowed";
        expect(missingModel ? [404] : STATUSES_OF_CODE[code]).toContain(status);
      }
    }
  });
});

describe("the reference", () => {
  test("has a policy that allows no other origin, and a new nonce each time", async () => {
    const edge = createEdge();
    const visit = async () => {
      const response = await edge.send("/docs", { key: null });
      const policy = response.headers.get("content-security-policy") ?? "";
      return { policy, html: await response.text(), nonce: /'nonce-([^']+)'/.exec(policy)?.[1] ?? "" };
    };
    const [first, second] = [await visit(), await visit()];
    expect(first.nonce).not.toBe(second.nonce);
    expect(first.policy).toContain("default-src 'none'");
    expect(first.policy).toContain("connect-src 'self'");
    expect(first.policy).not.toContain("http");
    expect(first.policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(first.html).not.toMatch(/https?:\/\//);
    expect(first.html.match(/<script nonce="/g)).toHaveLength((first.html.match(/<script/g) ?? []).length);
    expect(first.html).toContain(`nonce="${first.nonce}"`);
  });

  test("takes the colours of methods and states from the palette", async () => {
    const html = await (await createEdge().send("/docs", { key: null })).text();
    for (const colour of ["green", "blue", "red", "orange", "yellow", "purple"]) {
      const [, token = ""] = new RegExp(`--scalar-color-${colour}: var\\((--[a-z-]+)\\);`).exec(html) ?? [];
      expect(token).not.toBe("");
      expect(html).toContain(`  ${token}: light-dark(`);
    }
  });

  test("redirects /docs/ to /docs; paths of the API are 404 with a trailing slash", async () => {
    const edge = createEdge();
    for (const method of ["GET", "HEAD"]) {
      const moved = await edge.send("/docs/?a=1", { key: null, method });
      expect([moved.status, moved.headers.get("location")]).toEqual([308, "/docs?a=1"]);
      expect(moved.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect((await edge.send("/docs/", { key: null, method: "POST" })).status).toBe(405);
    for (const path of ["/docs//", "/openapi.json/", "/healthz/", "/v1/models/", `${USAGE_PATH}/`]) {
      expect([path, (await edge.send(path)).status]).toEqual([path, 404]);
    }
  });

  test("serves its viewer itself: compressed if accepted, cached as immutable", async () => {
    const edge = createEdge();
    const html = await (await edge.send("/docs", { key: null })).text();
    const path = /src="([^"]+)"/.exec(html)?.[1] ?? "";
    const packed = await edge.send(path, { headers: { "accept-encoding": "gzip, br" } });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(packed.headers.get("cache-control")).toContain("immutable");
    const plain = await edge.send(path, { headers: { "accept-encoding": "gzip;q=0" } });
    expect(plain.headers.has("content-encoding")).toBe(false);
    const unpacked = Bun.gunzipSync(await packed.bytes());
    expect(Bun.hash(unpacked)).toBe(Bun.hash(await plain.bytes()));
    expect((await edge.send("/docs/viewer/other.js")).status).toBe(404);
    expect((await edge.send("/docs/viewer/..%2f..%2fpackage.json")).status).toBe(404);
  });
});

describe("the front page and the reference", () => {
  test("have the console's colours, logo and icon, and link to each other", async () => {
    const palette = readFileSync(join(import.meta.dir, "../../../../console/styles/tokens.css"), "utf8");
    const tokens = FACE_STYLE.match(/--[a-z0-9-]+: [^;]+;/g) ?? [];
    expect(tokens.length).toBeGreaterThan(10);
    for (const token of tokens) expect(palette).toContain(token);
    const mounts = [{ path: "/console", handle: async () => new Response() }];
    const edge = createEdge({ deps: { mounts } });
    const pages = ["/", "/docs"].map((path) =>
      edge.send(path, { key: null, headers: { accept: "text/html" } }),
    );
    const [home = "", docs = ""] = await Promise.all(pages.map(async (page) => (await page).text()));
    for (const html of [home, docs]) {
      expect(html).toContain('<link rel="icon" type="image/svg+xml" href="data:image/svg+xml;base64,');
      expect(html).toContain('<svg viewBox="0 0 32 32"');
      expect(html).toContain('href="/console"');
    }
    // The same wording everywhere.
    for (const words of [home, (await documentOf(edge)).info.description]) {
      expect(words).toContain("One API key, one balance of credits");
    }
    expect(home).toContain('href="/docs"');
    expect(docs).toContain('href="/"');
    const icon = await edge.send("/favicon.ico", { key: null });
    expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/x-icon"]);
    expect([...(await icon.bytes()).subarray(0, 4)]).toEqual([0, 0, 1, 0]);
  });
});

describe("the guides", () => {
  test("are served with working links, for this gateway's address, and nothing else of the folder", async () => {
    const edge = createEdge();
    const guide = async (name: string) => edge.send(`/docs/guides${name}`, { key: null });
    const list = await (await guide("")).text();
    const names = [...list.matchAll(/href="\/docs\/guides\/([a-z]+)"/g)].map(([, name = ""]) => name);
    expect(names).toContain("clients");
    const pages = new Map<string, string>();
    for (const name of names) pages.set(name, await (await guide(`/${name}`)).text());
    const known = (path: string, anchor: string) =>
      pages.get(path)?.includes(anchor === "" ? "<article>" : `id="${anchor}"`) ?? false;
    for (const [name, html] of pages) {
      for (const [, path = name, anchor = ""] of html.matchAll(
        /href="(?:\/docs\/guides\/([a-z]+))?#?([^"/:]*)"/g,
      )) {
        expect(`${name} to ${path}#${anchor}: ${known(path, anchor)}`).toEndWith("true");
      }
      expect(/&lt;!--|href="[^"]*\.md|http:\/\/127\.0\.0\.1:8787/.exec(html)).toBeNull();
    }
    expect(pages.get("clients")).toContain("https://ai.example.com/v1");
    for (const name of ["/figures/peers.json", "/..%2fREADME", "/decisions", "/constructor"])
      expect((await guide(name)).status).toBe(404);
  });
});

describe("the front page", () => {
  test("links to the console and the reference, as HTML for browsers and as JSON for programs", async () => {
    const mounts = [{ path: "/console", handle: async () => new Response() }];
    const tool = await createEdge({ deps: { mounts } }).send("/", { key: null });
    expect(await tool.json()).toMatchObject({
      base_url: "https://ai.example.com/functions/v1",
      compat_base_url: "https://ai.example.com/v1",
      links: { Console: "https://ai.example.com/console", "API reference": "https://ai.example.com/docs" },
    });
    const accept = "application/json, text/html;q=0.1";
    const either = await createEdge().send("/", { key: null, headers: { accept } });
    expect(either.headers.get("content-type")).toStartWith("application/json");
    const person = await createEdge().send("/", { key: null, headers: { accept: "text/html,*/*" } });
    expect(person.headers.get("content-type")).toStartWith("text/html");
    const html = await person.text();
    expect(html).toContain('href="/docs"');
    expect(html).not.toContain("/console");
  });
});
