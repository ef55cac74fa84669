import { expect, test } from "bun:test";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { freePort } from "../../bench/baselines.ts";
import { makeTestFolder } from "../test-folder.ts";
import { BURSAR, bursar, environmentFor, type GatewayProcess, startGateway } from "./gateway-process.ts";

const MAIN = join(import.meta.dir, "..", "..", "gateway", "src", "main.ts");
const TEST_LIMIT_MS = 60_000;
const WORKERS = 2;
/** Enough that each worker is sure to get some. */
const CALLS = 31;
const MISSPELT = { BURSAR_LOG_LEVEL: "warn", BURSAR_DATADIR: "/somewhere" };

test(
  "workers share a port, calls and metrics; a killed one is started again, and SIGTERM ends them all",
  async () => {
    const dataDir = makeTestFolder();
    const port = String(freePort());
    const gateway = await startGateway(dataDir, { PORT: port }, ["--workers", String(WORKERS)]);
    try {
      const key = /svc_live_[0-9A-Za-z]{43}/.exec(gateway.welcome)?.[0] ?? "";
      const first = await workersOf(gateway);
      expect(first).toHaveLength(WORKERS);
      const { link } = await bursar(dataDir, "member", "link", "--email", "owner@demo.example");
      expect(link).toStartWith(`${gateway.origin}/console/link/`);
      expect(await chatMany(gateway, key)).toEqual(new Set([200]));
      // Whichever worker answers, the metrics are those of all.
      expect(await figuresOf(gateway)).toEqual(new Set([`${WORKERS} processes, ${CALLS} calls`]));

      const [victim = 0, survivor] = first;
      expect(await callsWhileStopped(gateway, key, victim)).toBeWithin(1, CALLS);
      const counted = new Set([`${WORKERS} processes, ${2 * CALLS} calls`]);
      expect(await figuresOf(gateway)).toEqual(counted);
      process.kill(victim, "SIGKILL");
      await until(async () => (await workersOf(gateway)).length === WORKERS);
      const second = await workersOf(gateway);
      expect(second).toContain(Number(survivor));
      expect(second).not.toContain(victim);
      await until(
        async () => [...(await figuresOf(gateway))][0]?.startsWith(`${WORKERS} processes`) === true,
      );
      // What the killed worker had counted stays counted.
      expect(await figuresOf(gateway)).toEqual(counted);
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
  "workers end when their launcher is killed, and free the port",
  async () => {
    const dataDir = makeTestFolder();
    try {
      const port = String(freePort());
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

test(
  'a parent process only gets "ready"; metrics count one process; an unknown setting is logged',
  async () => {
    const dataDir = makeTestFolder();
    const port = freePort();
    const told: unknown[] = [];
    const ready = Promise.withResolvers<void>();
    const child = Bun.spawn([process.execPath, MAIN, "serve"], {
      cwd: dataDir,
      env: environmentFor(dataDir, { PORT: String(port), ...MISSPELT }),
      stdio: ["ignore", "ignore", "pipe"],
      ipc: (message) => {
        told.push(message);
        ready.resolve();
      },
    });
    try {
      await ready.promise;
      const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      expect(figures).toContain("bursar_processes 1\n");
      expect(told).toEqual(["ready"]);
      child.kill("SIGTERM");
      expect(unknownSettings(await new Response(child.stderr).text())).toEqual(["BURSAR_DATADIR"]);
    } finally {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
  TEST_LIMIT_MS,
);

test.each([
  ["workers do not join a port that another installation shares", [], {}],
  [
    "workers with the role worker do not join a shared port, even if sharing is allowed",
    ["--role", "worker"],
    { BURSAR_SHARED_PORT: "true" },
  ],
])("%s, and create no data", async (_case, role, environment) => {
  const dataDir = makeTestFolder();
  // Listens the way workers do: with `reusePort`, the system would let others share the port.
  const other = Bun.serve({ hostname: "127.0.0.1", port: 0, reusePort: true, fetch: () => new Response() });
  try {
    const child = Bun.spawn(["node", BURSAR, "serve", "--workers", "2", ...role], {
      cwd: dataDir,
      env: environmentFor(dataDir, { PORT: String(other.port), ...environment }),
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    expect(said).toContain(`127.0.0.1:${other.port} is taken, by another Bursar or another program`);
    expect(code).toBe(1);
    expect(readdirSync(dataDir)).toEqual([]);
  } finally {
    await other.stop(true);
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test("several workers need a fixed port", async () => {
  const dataDir = makeTestFolder();
  try {
    await expect(bursar(dataDir, "serve", "--workers", "2")).rejects.toThrow("needs a fixed PORT");
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test(
  "workers that cannot start end the command with the reason, create no demo and run no code of the folder",
  async () => {
    const dataDir = makeTestFolder();
    writeFileSync(join(dataDir, "bunfig.toml"), 'preload = ["./preloaded.ts"]');
    writeFileSync(join(dataDir, "preloaded.ts"), "console.error('preloaded');");
    const taken = createServer();
    try {
      const port = await listenAnywhere(taken);
      const child = Bun.spawn(["node", BURSAR, "serve", "--workers", "2"], {
        cwd: dataDir,
        env: environmentFor(dataDir, { PORT: String(port), BURSAR_SHARED_PORT: "true", ...MISSPELT }),
        stdio: ["ignore", "ignore", "pipe"],
      });
      const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
      expect(said).toContain(`127.0.0.1:${port} is taken`);
      expect(said).toContain("set PORT to a free one");
      expect(said).not.toContain("preloaded");
      expect(code).toBe(1);
      expect(unknownSettings(said)).toEqual(["BURSAR_DATADIR"]);
      // No organization was created, because its key is shown only once and should wait for a start that succeeds.
      expect(await bursar(dataDir, "org", "list")).toMatchObject({ organizations: [] });
    } finally {
      taken.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
  TEST_LIMIT_MS,
);

test("more workers than the embedded database has connections are refused", async () => {
  const dataDir = makeTestFolder();
  try {
    const refused = bursar(dataDir, "serve", "--workers", "64");
    await expect(refused).rejects.toThrow("set DATABASE_URL");
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** The settings that the log reports as unknown. */
function unknownSettings(log: string): readonly string[] {
  const lines = log.split("\n").filter((line) => line.includes('"event":"unknown_setting"'));
  return lines.map((line) => JSON.parse(line)["name"]);
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

/** The processes that serve: those below the launcher, or among the given ones, that were started with a role. */
async function workersOf(gateway: GatewayProcess, among?: readonly number[]): Promise<number[]> {
  const rows = (await Bun.$`ps -eo pid=,ppid=,args=`.text())
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((row) => row !== null);
  const below = new Set([gateway.pid]);
  // Parents precede their children unless process ids wrapped around; a few passes find them in any case.
  for (let pass = 0; pass < 4; pass++) {
    for (const [, pid, parent] of rows) if (below.has(Number(parent))) below.add(Number(pid));
  }
  return rows
    .filter(([, , , args = ""]) => args.includes("serve --role"))
    .map(([, pid]) => Number(pid))
    .filter((pid) => (among ? among.includes(pid) : below.has(pid)));
}

async function chatMany(gateway: GatewayProcess, key: string): Promise<Set<number>> {
  return new Set(await Promise.all(Array.from({ length: CALLS }, () => chat(gateway, key))));
}

/** On a new connection, because the system distributes connections, not requests. */
async function chat({ origin }: GatewayProcess, key: string): Promise<number> {
  const response = await fetch(`${origin}/functions/v1/api-v1-chat`, {
    method: "POST",
    keepalive: false,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "hello" }] }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** The distinct answers to repeated requests, each on a new connection. */
async function figuresOf({ origin }: GatewayProcess): Promise<Set<string>> {
  const said = new Set<string>();
  for (let asked = 0; asked < 20; asked++) {
    const figures = await (await fetch(`${origin}/metrics`, { keepalive: false })).text();
    const processes = /^bursar_processes (\d+)/m.exec(figures)?.[1];
    said.add(`${processes} processes, ${callsIn(figures)} calls`);
  }
  return said;
}

function callsIn(figures: string): number {
  return Number(/^bursar_paid_calls_total\{.*succeeded.*\} (\d+)/m.exec(figures)?.[1]);
}

/** How many calls are answered while one worker is stopped: those that reach the others. So are the metrics. */
async function callsWhileStopped(gateway: GatewayProcess, key: string, pid: number): Promise<number> {
  let answered = 0;
  process.kill(pid, "SIGSTOP");
  try {
    const calls = Array.from({ length: CALLS }, () =>
      chat(gateway, key).then((status) => {
        if (status === 200) answered++;
      }),
    );
    const asking = Array.from({ length: CALLS }, () =>
      fetch(`${gateway.origin}/metrics`, { keepalive: false }).then((response) => response.text()),
    );
    const figures = await Promise.race(asking);
    expect(figures).toContain("bursar_processes 1\n");
    expect(callsIn(figures)).toBeGreaterThanOrEqual(CALLS);
    const before = answered;
    process.kill(pid, "SIGCONT");
    await Promise.all([...calls, ...asking]);
    expect(answered).toBe(CALLS);
    return before;
  } finally {
    process.kill(pid, "SIGCONT");
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(50);
}
