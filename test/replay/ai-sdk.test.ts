import { afterAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ChatEvent, ProviderFailure } from "../../gateway/src/contract/index.ts";
import { createOutboundFetch } from "../../gateway/src/outbound/index.ts";
import {
  createAnthropicProvider,
  createBedrockProvider,
  createCohereProvider,
  createGoogleProvider,
  createVertexProvider,
} from "../../gateway/src/providers/ai-sdk/index.ts";
import { collect } from "./ai-sdk-answer.ts";
import { type Item, type Recording, readRecordings, type WireName } from "./ai-sdk-recordings.ts";
import { responseFault } from "./response-fault.ts";

const FIXTURES = join(import.meta.dir, "..", "..", "..", "shared", "fixtures");
/** The minimum share of recordings in scope that must match; truncated recordings count as failures. */
const LEAST_SHARE: Readonly<Record<WireName, number>> = {
  anthropic: 0.95,
  google: 0.95,
  "google-vertex": 0.9,
  "amazon-bedrock": 0.9,
  cohere: 0.9,
};

const items: readonly Item[] = existsSync(FIXTURES) ? readRecordings(FIXTURES) : [];
const recordings = new Map<string, Recording>();
for (const item of items) if (item.is === "recording") recordings.set(encodeURIComponent(item.id), item);

/** Every recording has its own address: the first segment of the path names it. */
const server = Bun.serve({
  port: 0,
  fetch: ({ url }) =>
    recordings.get(new URL(url).pathname.split("/")[1] ?? "")?.respond() ??
    new Response(null, { status: 404 }),
});
afterAll(() => server.stop(true));

const passed = new Map<WireName, number>();

const FACTORIES = {
  anthropic: createAnthropicProvider,
  google: createGoogleProvider,
  "google-vertex": createVertexProvider,
  "amazon-bedrock": createBedrockProvider,
  cohere: createCohereProvider,
} as const satisfies Record<WireName, unknown>;

const outbound = createOutboundFetch({
  timeouts: { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000 },
  maxBodyBytes: 16 << 20,
  provider: "replay",
});

async function replay({ id, wire, model }: Recording): Promise<unknown> {
  const baseUrl = `http://127.0.0.1:${server.port}/${encodeURIComponent(id)}`;
  const provider = FACTORIES[wire]({ name: wire, kind: wire, baseUrl, apiKey: "key" }, { outbound });
  const request = { messages: [{ role: "user" as const, content: "Hello" }], maxOutputTokens: 1_000 };
  const batches: (readonly ChatEvent[])[] = [];
  try {
    const context = { requestId: "replay", signal: new AbortController().signal };
    for await (const batch of provider.text?.chat(model, request, context) ?? []) batches.push(batch);
  } catch (error) {
    if (error instanceof ProviderFailure) return { kind: error.kind, said: error.message };
    throw error;
  }
  expect(responseFault(batches.flat())).toBeNull();
  return collect(batches);
}

async function faultOf(recording: Recording): Promise<string | null> {
  const got = await replay(recording);
  const { expected } = recording;
  try {
    if (expected === null) expect(got).toHaveProperty("kind");
    else if ("kind" in expected) expect(got).toMatchObject(expected);
    else expect(got).toEqual(expected);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

if (items.length > 0)
  describe("recorded answers", () => {
    for (const wire of Object.keys(FACTORIES) as WireName[]) {
      test(`of ${wire} are decoded correctly, and enough of them are in scope`, async () => {
        const own = [...recordings.values()].filter((recording) => recording.wire === wire);
        const skipped = items.filter((item) => item.is === "skipped" && item.wire === wire);
        const faults: string[] = [];
        for (const recording of own) {
          const fault = await faultOf(recording);
          if (fault !== null) faults.push(`${recording.id}: ${fault}`);
        }
        for (const item of skipped)
          if (item.is === "skipped") console.log(`skipped ${item.id}: ${item.reason}`);
        passed.set(wire, own.length - faults.length);
        expect(faults, faults.join("\n\n")).toEqual([]);
        expect(own.length / (own.length + skipped.length)).toBeGreaterThanOrEqual(LEAST_SHARE[wire]);
      });
    }

    test("are each counted once", () => {
      const count = (test: (item: Item) => boolean) => items.filter(test).length;
      const wires = [...passed].map(([wire, many]) => {
        const all = count((item) => item.is !== "out of scope" && item.wire === wire);
        return `${wire} ${many} of ${all}`;
      });
      const forms = ["stream", "reply told as a stream", "error"].map(
        (form) => `${count((item) => item.is === "recording" && item.form === form)} of form ${form}`,
      );
      const skipped = count(({ is }) => is === "skipped");
      const outside = count(({ is }) => is === "out of scope");
      console.log(
        `replay of the AI SDK adapters: ${wires.join(", ")}; ${forms.join(", ")}; ` +
          `${skipped} skipped, ${outside} out of scope (other APIs, speech or image output)`,
      );
      expect(recordings.size + skipped + outside).toBe(items.length);
    });
  });
else
  test("there is nothing to replay without the folder of recordings", () => {
    console.log("replay of the AI SDK adapters: no recordings on this machine");
    expect(items).toEqual([]);
  });
