import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { httpDeps } from "../../gateway/src/app/http-deps.ts";
import { createApp } from "../../gateway/src/http/index.ts";
import { startTestGateway } from "../harness.ts";
import { accepts } from "../schema-judge.ts";

const FILE = join(import.meta.dir, "../../docs/api-examples.json");
/** The origin in the file; the document has the gateway's own. */
const ORIGIN = "http://127.0.0.1:8787";
/** Writes the file anew from what the sandbox answers. */
const isWriting = process.env["WRITE_EXAMPLES"] === "1";

type Operation = {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: { readonly "200": { readonly content: Content } };
};
type Content = Record<string, { readonly schema: Schema; readonly example: unknown }>;
type Schema = { readonly $ref?: string; readonly contentSchema?: Schema };
type Answer = { reply: unknown; stream?: string };

// Before the tests are defined: their names come from the route table.
const gateway = await startTestGateway();
afterAll(() => gateway.close());
const own = await gateway.found();
const { routes } = createApp(httpDeps(gateway.services, gateway.origin));
const { paths, components } = (await (await fetch(`${gateway.origin}/openapi.json`)).json()) as {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: object;
};
const answers = new Map<string, Answer>();

async function send(path: string, method: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${own.key}`, "content-type": "application/json" };
  const sent = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await fetch(`${gateway.origin}${path}`, sent);
  expect([path, response.status]).toEqual([path, 200]);
  return response;
}

const answered = (operationId: string) => answers.get(operationId)?.reply ?? {};

/** The rest of the path, from what was answered before: the table begins with what makes things. */
async function targetOf(operationId: string): Promise<string> {
  if (operationId === "getCompatibleModel") return "svc-fast";
  if (operationId === "getUsage") return "?days=1&limit=2";
  if (operationId === "listAssets") return "?limit=2";
  if (operationId === "deleteAsset") {
    const {
      assets: [asset],
    } = answered("listAssets") as { assets: { id: string }[] };
    return `?asset_id=${asset?.id}`;
  }
  if (operationId !== "getVideo") return "";
  const query = `?request_id=${(answered("createVideo") as { request_id: string }).request_id}`;
  for (;;) {
    const response = await send(`/functions/v1/api-v1-video${query}`, "GET");
    if (((await response.json()) as { status: string }).status === "complete") return query;
    await Bun.sleep(50);
  }
}

/** Names and kinds, however many items a list has; null stands for any kind. */
function expectSameShape(shown: unknown, real: unknown, at: string): void {
  if (shown === null || real === null) return;
  expect([at, Array.isArray(shown), typeof shown]).toEqual([at, Array.isArray(real), typeof real]);
  if (typeof shown !== "object" || typeof real !== "object") return;
  if (Array.isArray(shown) && Array.isArray(real)) {
    expect([at, shown.length > 0]).toEqual([at, real.length > 0]);
    if (shown.length > 0) expectSameShape(shown[0], real[0], `${at}[0]`);
    return;
  }
  const [mine, its] = [shown, real] as [Record<string, unknown>, Record<string, unknown>];
  expect([at, Object.keys(mine)]).toEqual([at, Object.keys(its)]);
  for (const name of Object.keys(mine)) expectSameShape(mine[name], its[name], `${at}.${name}`);
}

/** The data of the first event of each kind, in order. */
function kindsOf(stream: unknown): Map<string, unknown> {
  const kinds = new Map<string, unknown>();
  for (const event of String(stream).split("\n\n")) {
    const [, name = ""] = /^event: (.*)$/m.exec(event) ?? [];
    const [, data] = /^data: (.*)$/m.exec(event) ?? [];
    if (data === undefined || data === "[DONE]") continue;
    const value = JSON.parse(data) as object;
    const kind = `${name} ${Object.keys(value)} ${JSON.stringify(value).match(/"delta":\{"\w*|"usage":\{/) ?? ""}`;
    if (!kinds.has(kind)) kinds.set(kind, value);
  }
  return kinds;
}

function expectAccepted(schema: Schema | undefined, value: unknown): void {
  expect([accepts({ ...schema, components }, value), value]).toEqual([true, value]);
}

for (const { method, path, docs } of routes) {
  test(`the documented example of ${docs.operationId} is what the sandbox answers`, async () => {
    const operation = paths[path.replace(":model{.+}", "{model}")]?.[method.toLowerCase()];
    const asked = operation?.requestBody?.content["application/json"];
    const target = path.replace(":model{.+}", "") + (await targetOf(docs.operationId));
    const body = asked?.example as object | undefined;
    if (asked) expectAccepted(asked.schema, body);
    const answer: Answer = { reply: await (await send(target, method, body)).json() };
    if (docs.stream) answer.stream = await (await send(target, method, { ...body, stream: true })).text();
    answers.set(docs.operationId, answer);
    if (isWriting) return;
    const shown = operation?.responses["200"].content;
    const example = shown?.["application/json"]?.example;
    expectAccepted(shown?.["application/json"]?.schema, example);
    expectSameShape(example, answer.reply, docs.operationId);
    const streamed = shown?.["text/event-stream"];
    expect(streamed === undefined).toBe(answer.stream === undefined);
    if (streamed === undefined) return;
    const [said, real] = [kindsOf(streamed.example), kindsOf(answer.stream)];
    expect([...said.keys()]).toEqual([...real.keys()]);
    for (const [kind, data] of said) {
      expectAccepted(streamed.schema.contentSchema, data);
      expectSameShape(data, real.get(kind), kind);
    }
  }, 60_000);
}

if (isWriting) {
  afterAll(async () => {
    const lines = [...answers].map(([name, answer]) => `${JSON.stringify(name)}: ${JSON.stringify(answer)}`);
    const text = `{\n${lines.join(",\n")}\n}\n`.replaceAll(gateway.origin, ORIGIN);
    // The first bytes of a picture are enough to show what it is.
    await Bun.write(FILE, text.replace(/("b64_json":"[^"]{80})[^"]*/g, "$1"));
  });
}
