import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BURSAR, bursar, environmentFor, type GatewayProcess, startGateway } from "./gateway-process.ts";

const TEST_LIMIT_MS = 60_000;
const WORKERS = 2;
/** Odd, so that two workers cannot have counted the same. */
const CALLS = 31;

test(
  "workers share a port and the calls; a killed one is started again, and SIGTERM ends them all",
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "bursar-acceptance-workers-"));
    const port = String(await freePort());
    const gateway = await startGateway(dataDir, { PORT: port }, ["--workers", String(WORKERS)]);
    try {
      const key = /svc_live_[0-9A-Za-z]{43}/.exec(gateway.welcome)?.[0] ?? "";
      const first = await workersOf(gateway);
      expect(first).toHaveLength(WORKERS);
      expect(await chatMany(gateway, key)).toEqual(new Set([200]));
      const counts = await callsByWorker(gateway);
      expect(counts.size).toBe(WORKERS);
      expect([...counts].reduce((sum, count) => sum + count, 0)).toBe(CALLS);

      const [victim = 0, survivor] = first;
      process.kill(victim, "SIGKILL");
      await until(async () => (await workersOf(gateway)).length === WORKERS);
      const second = await workersOf(gateway);
      expect(second).toContain(Number(survivor));
      expect(second).not.toContain(victim);
      // The newcomer has counted nothing yet, so its figures tell it from the other.
      await until(async () => (await callsByWorker(gateway)).has(0));
      expect(await chatMany(gateway, key)).toEqual(new Set([200]));

      expect(await gateway.stop("SIGTERM")).toBe(0);
      expect(await workersOf(gateway, [...first, ...second])).toEqual([]);
      expect(await bursar(dataDir, "ledger", "verify")).toMatchObject({ faults: [] });
    } finally {
      await gateway.stop("SIGTERM");
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
  TEST_LIMIT_MS,
);

test(
  "workers end with whoever started them, even where that was killed: the port is free for the next start",
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "bursar-acceptance-workers-"));
    try {
      const port = String(await freePort());
      const gateway = await startGateway(dataDir, { PORT: port }, ["--workers", String(WORKERS)]);
      const workers = await workersOf(gateway);
      expect(workers).toHaveLength(WORKERS);
      await gateway.stop("SIGKILL");
      await until(async () => (await workersOf(gateway, workers)).length === 0);
      await expect(fetch(`${gateway.origin}/healthz`)).rejects.toThrow();
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
  TEST_LIMIT_MS,
);

test("workers need a port that they can share", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "bursar-acceptance-workers-"));
  try {
    await expect(bursar(dataDir, "serve", "--workers", "2")).rejects.toThrow("needs a fixed PORT");
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test(
  "workers that cannot start end the command, and say why",
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "bursar-acceptance-workers-"));
    const taken = createServer();
    try {
      const port = await listenAnywhere(taken);
      const child = Bun.spawn(["node", BURSAR, "serve", "--workers", "2"], {
        cwd: dataDir,
        env: environmentFor(dataDir, { PORT: String(port) }),
        stdio: ["ignore", "ignore", "pipe"],
      });
      const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
      expect(said).toContain(`127.0.0.1:${port} is taken`);
      expect(said).toContain("set PORT to a free one");
      expect(code).toBe(1);
    } finally {
      taken.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
  TEST_LIMIT_MS,
);

test("more workers than the embedded database has connections for are refused", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "bursar-acceptance-workers-"));
  try {
    const refused = bursar(dataDir, "serve", "--workers", "64");
    await expect(refused).rejects.toThrow("set DATABASE_URL");
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** Free a moment ago: the one bound that tests have on being alone. */
async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listenAnywhere(probe);
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function listenAnywhere(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

/** The processes that serve: those below the launcher, or among the given ones, that were given a role. */
async function workersOf(gateway: GatewayProcess, among?: readonly number[]): Promise<number[]> {
  const rows = (await Bun.$`ps -eo pid=,ppid=,args=`.text())
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((row) => row !== null);
  const below = new Set([gateway.pid]);
  // Parents stand before their children unless numbers wrapped; a few passes find them all the same.
  for (let pass = 0; pass < 4; pass++) {
    for (const [, pid, parent] of rows) if (below.has(Number(parent))) below.add(Number(pid));
  }
  return rows
    .filter(([, , , args = ""]) => args.includes("serve --role"))
    .map(([, pid]) => Number(pid))
    .filter((pid) => (among ? among.includes(pid) : below.has(pid)));
}

/** Each on a connection of its own: the system spreads connections, not requests. */
async function chatMany({ origin }: GatewayProcess, key: string): Promise<Set<number>> {
  const replies = await Promise.all(
    Array.from({ length: CALLS }, async () => {
      const response = await fetch(`${origin}/functions/v1/api-v1-chat`, {
        method: "POST",
        keepalive: false,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "hello" }] }),
      });
      await response.arrayBuffer();
      return response.status;
    }),
  );
  return new Set(replies);
}

/** What the workers have counted, as the figures of whichever answers; the same number twice is one worker's. */
async function callsByWorker({ origin }: GatewayProcess): Promise<Set<number>> {
  const counts = new Set<number>();
  for (let asked = 0; asked < 40; asked++) {
    const figures = await (await fetch(`${origin}/metrics`, { keepalive: false })).text();
    counts.add(Number(/^bursar_paid_calls_total\{.*succeeded.*\} (\d+)/m.exec(figures)?.[1] ?? 0));
  }
  return counts;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(50);
}
