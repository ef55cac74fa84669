import { expect, test } from "bun:test";
import { silentLog } from "../../telemetry/index.ts";
import { inspectConfig } from "../settings.ts";
import { warnOfRefusedKeys } from "./refused-keys.ts";

/** What a start with these settings logs, if the provider accepts only one key. */
async function warningsWith(env: Record<string, string>): Promise<unknown[]> {
  const warnings: unknown[] = [];
  const log = { ...silentLog, warn: (...line: unknown[]) => void warnings.push(line) };
  await using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ headers }) =>
      headers.get("authorization") === "Bearer right"
        ? Response.json({ object: "list", data: [] })
        : Response.json({ error: { message: "No." } }, { status: 401 }),
  });
  const given = { OPENAI_BASE_URL: `http://127.0.0.1:${server.port}/v1`, ...env };
  await warnOfRefusedKeys({ config: inspectConfig(given, "/nowhere").config, log });
  return warnings;
}

test("a start says which provider refuses its key, and which setting holds it, but not the key", async () => {
  expect(await warningsWith({ OPENAI_API_KEY: "sk-canary" })).toEqual([
    [
      "provider_key_refused",
      {
        provider: "openai",
        status: 401,
        advice: "Set OPENAI_API_KEY to a valid key, or ask the provider why this one is refused.",
      },
    ],
  ]);
});

test("a start says nothing of a key that is accepted, of a provider that is away, or without providers", async () => {
  expect(await warningsWith({ OPENAI_API_KEY: "right" })).toEqual([]);
  expect(
    await warningsWith({ OPENAI_API_KEY: "sk-canary", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }),
  ).toEqual([]);
  expect(await warningsWith({ OPENAI_BASE_URL: "" })).toEqual([]);
});
