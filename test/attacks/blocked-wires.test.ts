import { afterAll, expect, test } from "bun:test";
import { writeSettings } from "../faults/settings-file.ts";
import { startTestGateway } from "../harness.ts";
import { MOST_BLOCKED_MS, watchLoop } from "./fuzz/loop-watch.ts";
import { HEAVY_PARTS, HEAVY_PROMPTS, HEAVY_TEXTS } from "./heavy-bodies.ts";

/**
 * One provider kind for each way to encode a request: the forms of a file on the chat wire, responses, and each
 * library.
 */
const KINDS = ["openai-wire", "openai", "mistral", "perplexity", "anthropic", "google", "cohere", "bedrock"];

const asked = new Set<string>();
/** Refuses every request: the test is only about the work until then. */
const upstream = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    await request.arrayBuffer();
    asked.add(new URL(request.url).pathname.split("/")[1] ?? "");
    return Response.json({ error: { message: "no" }, message: "no" }, { status: 400 });
  },
});

const settings = writeSettings({
  providers: Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      { kind, base_url: `http://127.0.0.1:${upstream.port}/${kind}`, api_key: "sk-1" },
    ]),
  ),
  models: KINDS.map((kind) => ({
    ...{ id: `${kind}-chat`, name: kind, type: "text", credits_per_request: 1 },
    targets: [{ provider: kind, model: kind === "openai" ? "gpt-5.4" : "m" }],
    price: { input_per_million: 1, output_per_million: 1 },
    limits: {
      ...{ context_tokens: 2_000_000, max_output_tokens: 4_096 },
      ...{ tokens_per_image: 1_000, tokens_per_file: 1_000 },
    },
    capabilities: ["tools", "images", "files", "reasoning", "structured_output"],
  })),
});
const gateway = await startTestGateway(settings.environment, { runsVideoJobs: false });
const own = await gateway.found({ credits: 1_000_000_000 });

afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

const ON_WIRES = [
  ...HEAVY_PARTS.map((heavy) => [heavy.name, { ...heavy, kinds: KINDS }] as const),
  ...HEAVY_PROMPTS.map(
    (heavy) => [heavy.name, { ...heavy, kinds: ["openai-wire", "anthropic", "google"] }] as const,
  ),
  ...HEAVY_TEXTS.map((heavy, at) => [heavy.name, { ...heavy, kinds: [KINDS[at % KINDS.length]] }] as const),
];

test.each(ON_WIRES)(
  "%s does not block the event loop on any wire it is sent to",
  async (_, { path, make, kinds }) => {
    for (const kind of kinds) {
      const body = make(`${kind}-chat`);
      const loop = watchLoop();
      const response = await fetch(`${gateway.origin}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
        body: new Uint8Array(body),
      });
      const text = await response.text();
      loop.stop();
      expect([response.status, text.slice(0, 200)], kind).toEqual([400, text.slice(0, 200)]);
      expect(loop.longestMs, kind).toBeLessThan(MOST_BLOCKED_MS);
    }
  },
  120_000,
);

test("the upstream received requests on every wire", () => {
  expect([...asked].sort()).toEqual([...KINDS].sort());
});
