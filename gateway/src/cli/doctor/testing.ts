import { expect } from "bun:test";
import { createServer, type Server } from "node:net";
import type { CliHost } from "../cli-host.ts";
import type { CliHarness } from "../testing.ts";
import type { Check } from "./check.ts";

export async function examineWith(
  cli: CliHarness,
  env: Record<string, string>,
  host: Partial<CliHost> = {},
): Promise<{ code: number; checks: Check[] }> {
  const overrides = { inspectConfig: () => cli.inspect(env), ...host };
  const { code, out } = await cli.runWith(overrides, "doctor", "--json");
  const { ok, checks } = JSON.parse(out);
  expect(ok).toBe(code === 0);
  return { code, checks };
}

export const named = (checks: readonly Check[], name: string) =>
  checks.filter((check) => check.name === name);

/** A program that accepts connections but does not speak HTTP. */
export function listenSilently(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.end("220 hello\r\n"));
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}
