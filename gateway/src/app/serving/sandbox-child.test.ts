import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Log, silentLog } from "../../telemetry/index.ts";
import { loadConfig } from "../settings.ts";
import { type SandboxChild, startSandbox } from "./sandbox-child.ts";

let child: SandboxChild | null = null;
const home = process.cwd();
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bursar-sandbox-child-"));
});
afterEach(async () => {
  process.chdir(home);
  await child?.stop();
  rmSync(folder, { recursive: true });
});

/** A program that answers on the port it is given, until we end. */
const SERVING = `Bun.serve({ port: Number(process.argv.at(-2)), hostname: "127.0.0.1", fetch: () => new Response() });
  process.stdin.on("end", () => process.exit()).resume();`;

function start(environment: Record<string, string> = {}, program?: readonly string[]) {
  const ended = Promise.withResolvers<Record<string, unknown>>();
  const again = Promise.withResolvers<Record<string, unknown>>();
  const ends = [ended, again];
  const log: Log = {
    ...silentLog,
    error: (event, fields = {}) => ends.shift()?.resolve({ event, ...fields }),
  };
  const config = loadConfig(environment, "/nonexistent");
  child = startSandbox(config, log, ...(program === undefined ? [] : [program]));
  return { ...child, ended: ended.promise, again: again.promise };
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

test("it is told nothing of our settings but its key, not even by the file in our folder", async () => {
  writeFileSync(join(folder, ".env"), "BURSAR_SECRET=sixteen");
  process.chdir(folder);
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
  const failing = `const { existsSync, writeFileSync } = require("node:fs");
    const mark = ${JSON.stringify(join(folder, "mark"))};
    if (!existsSync(mark)) { writeFileSync(mark, ""); console.error("the first one"); process.exit(7); }
    ${SERVING}`;
  const { config, ended } = start({}, [process.execPath, "-e", failing, "--"]);
  expect(await ended).toMatchObject({ event: "sandbox_ended", code: 7, error: "the first one" });
  await until(async () => (await statusAt(config.sandbox?.baseUrl ?? "", null)) === 200);
});

test("nobody else gets its port while it is away", async () => {
  const { config, ended, stop } = start({}, [join(folder, "missing")]);
  await ended;
  const { port } = new URL(config.sandbox?.baseUrl ?? "");
  const take = () => Bun.listen({ hostname: "127.0.0.1", port: Number(port), socket: { data() {} } });
  expect(take).toThrow("Failed to listen");
  expect(await statusAt(config.sandbox?.baseUrl ?? "", null)).toBeNull();
  await stop();
  take().stop();
});

test("one that cannot be started again for now is tried again", async () => {
  const program = join(folder, "program");
  const write = (line: string) => {
    writeFileSync(program, `#!/bin/sh\n${line}`);
    chmodSync(program, 0o700);
  };
  write(`rm ${program}; echo gone >&2; exit 7`);
  const { ended, again } = start({}, [program]);
  expect(await ended).toMatchObject({ code: 7, error: "gone" });
  expect(String((await again)["error"])).toContain("ENOENT");
  write(`touch ${join(folder, "back")}`);
  await until(async () => existsSync(join(folder, "back")));
});

test("of what it says, only the end is kept", async () => {
  const program = `const text = Buffer.alloc(1 << 20, "x"); const { writeSync } = require("node:fs");
    for (let left = 200; left > 0; left--) for (let at = 0; at < text.length; ) at += writeSync(2, text, at);
    ${SERVING}`;
  const before = process.memoryUsage.rss();
  const { config } = start({}, [process.execPath, "-e", program, "--"]);
  await until(async () => (await statusAt(config.sandbox?.baseUrl ?? "", null)) === 200);
  Bun.gc(true);
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 << 20);
});

test.each<[string, Record<string, string>]>([
  ["it is off", { BURSAR_SANDBOX: "false" }],
  ["it runs elsewhere", { BURSAR_SANDBOX_URL: "http://127.0.0.1:9000/v1" }],
])("none is started where %s", async (_name, environment) => {
  const { config, listening, ended, stop } = start(environment, [join(folder, "missing")]);
  await listening;
  await stop();
  expect(config).toEqual(loadConfig(environment, "/nonexistent"));
  expect(await Promise.race([ended, "nothing"])).toBe("nothing");
});
