import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { settingsFor } from "../faults/upstream-models.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";

let upstream: ReturnType<typeof Bun.serve>;
let asked = 0;
let gateway: TestGateway;
let settings: SettingsFile;
beforeAll(async () => {
  upstream = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch() {
      asked++;
      return Response.json({ error: { message: "no" } }, { status: 500 });
    },
  });
  settings = writeSettings(settingsFor(`http://127.0.0.1:${upstream.port}/v1`, ["one", "one|two"]));
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

function post({ key }: TestOrganization, path: string, body: object): Promise<Response> {
  return fetch(`${gateway.origin}/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ messages: [{ role: "user", content: "hi" }], input: "hi", ...body }),
  });
}

async function requestsOf({ id }: TestOrganization): Promise<number> {
  const view = await gateway.services.usage.usageView({ id, plan: "enterprise" }, { days: 2, limit: 1 });
  return view.requests.length;
}

const REFUSED = [
  { web_search_options: {} },
  { search_parameters: { mode: "on" } },
  { plugins: [{ id: "web" }] },
  { mcp_servers: [{ url: "https://a.example" }] },
  { reasoning: { mode: "pro" } },
];
const HOSTED = { tools: [{ type: "web_search" }] };

const CASES = ["one", "one_two", "sandbox-chat"].flatMap((model) => [
  ...[...REFUSED, HOSTED].map((body) => [model, "chat/completions", body] as const),
  ...REFUSED.map((body) => [model, "responses", body] as const),
]);

test.each(CASES)(
  "%s, %s: %j is refused with any balance, and is neither recorded nor sent upstream",
  async (...of) => {
    const [model, path, body] = of;
    const poor = await gateway.found({ credits: 0 });
    const rich = await gateway.found();
    for (const [organization, stream] of [
      [poor, false],
      [rich, false],
      [rich, true],
    ] as const) {
      const response = await post(organization, path, { model, stream, ...body });
      expect(await response.json()).toMatchObject({
        error: { code: "validation_error", param: Object.keys(body)[0] },
      });
      expect(response.status).toBe(400);
    }
    expect(await requestsOf(rich)).toBe(0);
    expect(asked).toBe(0);
  },
);
