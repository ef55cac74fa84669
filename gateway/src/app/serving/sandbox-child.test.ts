import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Log, silentLog } from "../../telemetry/index.ts";
import { loadConfig } from "../settings.ts";
import { type SandboxChild, startSandbox } from "./sandbox-child.ts";

let child: SandboxChild | null = null;
afterEach(() => child?.stop());

function start(environment: Record<string, string> = {}, program?: readonly string[]) {
  const ended = Promise.withResolvers<Record<string, unknown>>();
  const log: Log = {
    ...silentLog,
    error: (event, fields = {}) => ended.resolve({ event, ...fields }),
  };
  const config = loadConfig(environment, "/nonexistent");
  child = startSandbox(config, log, ...(program === undefined ? [] : [program]));
  return { ...child, ended: ended.promise };
}

/** The status of its list of models; null if nobody is there. */
function statusAt(url: string, key: string | null): Promise<number | null> {
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  return fetch(`${url}/models`, { headers }).then(
    ({ status }) => status,
    () => null,
  );
}

/** Waits for what is certain to come. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(10);
}

test("it answers on loopback, with a key that only we know, and ends with us", async () => {
  const { config, environment, listening, stop } = start();
  const { baseUrl, apiKey } = config.sandbox ?? {};
  await listening;
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect(environment).toEqual({ BURSAR_SANDBOX_URL: baseUrl ?? "", BURSAR_SANDBOX_KEY: apiKey ?? "" });
  expect(await statusAt(baseUrl ?? "", apiKey ?? null)).toBe(200);
  expect(await statusAt(baseUrl ?? "", null)).toBe(401);
  await stop();
  expect(await statusAt(baseUrl ?? "", apiKey ?? null)).toBeNull();
});

test("it is told nothing of our settings but its key", async () => {
  const program = [process.execPath, "-e", "console.error(Object.keys(process.env).toSorted().join())", "--"];
  const { ended } = start({}, program);
  const { event, code, error } = await ended;
  expect([event, code]).toEqual(["sandbox_ended", 0]);
  const names = String(error).split(",");
  expect(names).toContain("BURSAR_SANDBOX_KEY");
  const known = ["BURSAR_SANDBOX_KEY", "PATH", "HOME", "TMPDIR"];
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
});

test("one that ends is started again, at the same address", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bursar-sandbox-child-"));
  const failing = `const { existsSync, writeFileSync } = require("node:fs");
    const mark = ${JSON.stringify(join(folder, "mark"))};
    if (!existsSync(mark)) { writeFileSync(mark, ""); console.error("the first one"); process.exit(7); }
    Bun.serve({ port: Number(process.argv.at(-2)), hostname: "127.0.0.1", fetch: () => new Response() });
    process.stdin.on("end", () => process.exit()).resume();`;
  const { config, ended } = start({}, [process.execPath, "-e", failing, "--"]);
  expect(await ended).toMatchObject({ event: "sandbox_ended", code: 7, error: "the first one" });
  await until(async () => (await statusAt(config.sandbox?.baseUrl ?? "", null)) === 200);
  rmSync(folder, { recursive: true });
});

test.each<[string, Record<string, string>]>([
  ["it is off", { BURSAR_SANDBOX: "false" }],
  ["it runs elsewhere", { BURSAR_SANDBOX_URL: "http://127.0.0.1:9000/v1" }],
])("none is started where %s", async (_name, environment) => {
  const program = [process.execPath, "-e", "process.exit(1)", "--"];
  const { config, listening, ended } = start(environment, program);
  await listening;
  expect(config).toEqual(loadConfig(environment, "/nonexistent"));
  const nothing = Promise.resolve("nothing");
  expect(await Promise.race([ended, nothing])).toBe("nothing");
});
