import { afterEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { freePort } from "../../bench/baselines.ts";
import { makeTestFolder } from "../test-folder.ts";
import { chatStatus, type GatewayProcess, startGateway } from "./gateway-process.ts";

const TEST_LIMIT_MS = 60_000;

let dataDir = "";
let gateway: GatewayProcess | null = null;
afterEach(async () => {
  await gateway?.stop("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(more: Record<string, string> = {}, flags: readonly string[] = []) {
  dataDir = makeTestFolder();
  gateway = await startGateway(dataDir, more, flags);
  const { origin, welcome } = gateway;
  const key = /svc_live_[0-9A-Za-z]{43}/.exec(welcome)?.[0] ?? "";
  return { gateway, status: () => chatStatus(origin, key) };
}

/** Programs of the sandbox below the gateway's launcher. */
async function sandboxesBelow({ pid }: GatewayProcess): Promise<number[]> {
  const rows = (await processes()).map(({ line, ...row }) => ({ ...row, isSandbox: line.includes(PROGRAM) }));
  const below = new Set([pid]);
  // Parents precede their children unless process ids wrapped around; a few passes find them in any case.
  for (let pass = 0; pass < 4; pass++) for (const row of rows) if (below.has(row.parent)) below.add(row.pid);
  return rows.filter((row) => row.isSandbox && below.has(row.pid)).map((row) => row.pid);
}

const PROGRAM = "bursar-sandbox.ts";

async function processes() {
  const text = await Bun.$`ps -eo pid=,ppid=,args=`.text();
  return text.split("\n").flatMap((line) => {
    const [, pid, parent] = /^\s*(\d+)\s+(\d+)\s/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), line }];
  });
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(20);
}

const isGone = (pid: number) => async () => !(await processes()).some((each) => each.pid === pid);

test(
  "the sandbox runs beside the gateway, is started again, and ends with it, even if that is killed",
  async () => {
    const { gateway: started, status } = await start();
    const [first = 0, ...more] = await sandboxesBelow(started);
    expect(more).toEqual([]);
    expect(await status()).toBe(200);
    process.kill(first, "SIGKILL");
    // Asked at once: the next one comes after a wait, and then has to start.
    expect(await status()).toBe(502);
    await until(async () => (await status()) === 200);
    const [second = 0] = await sandboxesBelow(started);
    await started.stop("SIGKILL");
    await until(isGone(second));
  },
  TEST_LIMIT_MS,
);

test(
  "workers share one sandbox, which serves them until they have ended",
  async () => {
    const flags = ["--workers", "2"];
    const { gateway: started, status } = await start({ PORT: String(freePort()) }, flags);
    const sandboxes = await sandboxesBelow(started);
    expect(sandboxes).toHaveLength(1);
    expect(await Promise.all(Array.from({ length: 15 }, status))).toEqual(Array(15).fill(200));
    await started.stop("SIGTERM");
    await until(isGone(sandboxes[0] ?? 0));
  },
  TEST_LIMIT_MS,
);

test(
  "with the sandbox off, nothing of it runs",
  async () => {
    const { gateway: started } = await start({ BURSAR_SANDBOX: "false" });
    expect(await sandboxesBelow(started)).toEqual([]);
    expect(started.welcome).toContain("No text model can be called yet");
  },
  TEST_LIMIT_MS,
);
