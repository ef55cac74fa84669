import { expect, test } from "bun:test";
import { silentLog } from "../../telemetry/index.ts";
import type { App } from "../app.ts";
import { startServer } from "../server.ts";

const canSee = process.platform === "linux" && Bun.which("ss") !== null;
if (!canSee) console.warn("Skipped: how many connections may wait is only seen on Linux, with ss.");

/** For a listening socket, the second number of `ss` is the size of its backlog. */
function mostWaiting(port: number): number {
  const { stdout } = Bun.spawnSync(["ss", "-Hltn", `sport = :${port}`]);
  return Number(stdout.toString().trim().split(/\s+/)[2]);
}

test.skipIf(!canSee)(
  "the server listens with a backlog of 4,096 connections, or the system's maximum if that is lower",
  async () => {
    const app = { fetch: () => new Response("here"), refuseOverload: () => null, beginDrain() {} };
    const server = startServer({
      host: "127.0.0.1",
      port: 0,
      log: silentLog,
      createApp: () => app as unknown as App,
    });
    try {
      const allowed = Number(await Bun.file("/proc/sys/net/core/somaxconn").text());
      expect(mostWaiting(server.port)).toBe(Math.min(4_096, allowed));
      expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe("here");
    } finally {
      await server.stop(1_000);
    }
  },
);
