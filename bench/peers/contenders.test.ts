import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Load, startLoad } from "../load.ts";
import { type Field, startField } from "./contenders.ts";
import { measure } from "./measure.ts";
import { bodyOf, type Scenario } from "./scenario.ts";

const START_MS = 120_000;
let field: Field;
let load: Load;

beforeAll(async () => {
  load = startLoad();
  field = await startField({ withPortkey: false });
}, START_MS);

afterAll(async () => {
  await load.stop();
  await field?.stop();
}, START_MS);

test.each<Scenario>([
  { form: "one piece", prompt: "small", connections: 1 },
  { form: "stream", prompt: "small", connections: 64 },
  { form: "one piece", prompt: "100 KB", connections: 1 },
  { form: "stream", prompt: "100 KB", connections: 1 },
  { form: "one piece", prompt: "100 KB of new texts", connections: 1 },
])(
  "all contenders answer the same call in full: $form, $prompt",
  async (scenario) => {
    for (const contender of field.contenders) {
      // A caller makes at least one call, and fails if the upstream's text does not come back.
      const orders = { scenario, round: 0, seconds: 0, upstreamPid: field.upstreamPid };
      const found = await measure(load, contender, orders);
      expect(found.calls).toBe(scenario.connections);
      expect(found.firstByteP50Ms).toBeLessThanOrEqual(found.p50Ms);
      expect(found.cpuMicros === null).toBe(contender.name === "direct");
      expect(found.cpuWithDatabaseMicros ?? 0).toBeGreaterThanOrEqual(found.cpuMicros ?? 0);
    }
  },
  START_MS,
);

test(
  "a refused call ends the bench with its status",
  async () => {
    const [direct] = field.contenders;
    const gateway = field.contenders.find(({ name }) => name === "bursar, /v1");
    if (!direct || !gateway) throw new Error("no contenders");
    const scenario: Scenario = { form: "one piece", prompt: "small", connections: 1 };
    const keyless = { ...gateway, request: direct.request };
    const orders = { scenario, round: 0, seconds: 0, upstreamPid: field.upstreamPid };
    await expect(measure(load, keyless, orders)).rejects.toThrow("401");
  },
  START_MS,
);

test("a large prompt has about 100 KB, and is the same in each call", () => {
  const size = (prompt: Scenario["prompt"]) => Buffer.byteLength(bodyOf({ form: "one piece", prompt }));
  expect(size("small")).toBeLessThan(200);
  for (const large of ["100 KB", "100 KB of new texts"] as const)
    expect(Math.abs(size(large) - 103_000)).toBeLessThan(4_000);
  expect(bodyOf({ form: "stream", prompt: "100 KB" })).toBe(bodyOf({ form: "stream", prompt: "100 KB" }));
});

test("of new texts, no line is sent twice", async () => {
  const lines: string[] = [];
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { messages } = (await request.json()) as { messages: { content: string }[] };
      for (const { content } of messages) lines.push(...content.split("\n").slice(0, -1));
      return new Response("this is a fixed reply");
    },
  });
  const direct = field.contenders.find(({ name }) => name === "direct");
  if (!direct) throw new Error("no contenders");
  const scenario: Scenario = { form: "one piece", prompt: "100 KB of new texts", connections: 64 };
  const orders = { scenario, round: 0, seconds: 0, upstreamPid: field.upstreamPid };
  await measure(load, { ...direct, port: Number(server.port) }, orders);
  await server.stop(true);
  expect(lines.length).toBeGreaterThan(64 * 900);
  expect(new Set(lines).size).toBe(lines.length);
});

test("the peer has an exact version, and its lock file names no download address", () => {
  const read = (name: string) => readFileSync(join(import.meta.dir, "portkey", name), "utf8");
  const { dependencies } = JSON.parse(read("package.json")) as { dependencies: Record<string, string> };
  for (const [name, version] of Object.entries(dependencies)) {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(read("bun.lock")).toContain(`"${name}@${version}"`);
  }
  expect(read("bun.lock")).not.toMatch(/https?:/);
});
