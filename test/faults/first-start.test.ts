import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { freePort } from "../../bench/baselines.ts";
import { createMigratedDatabase } from "../../gateway/src/db/testing.ts";
import { startGateway } from "../acceptance/gateway-process.ts";
import { makeTestFolder } from "../test-folder.ts";

test.each([[[]], [["--workers", "2"]]])(
  "/readyz is 200 only when everything that the first start prints exists: serve %p",
  async (flags) => {
    const dataDir = makeTestFolder();
    const { db, drop } = await createMigratedDatabase();
    const port = freePort();
    const readyz = () => fetch(`http://127.0.0.1:${port}/readyz`, { keepalive: false });
    const held = await db.pool.connect();
    // Can be read, but the demo cannot be created.
    await held.query("begin; lock table organization in share mode");
    const starting = startGateway(dataDir, { PORT: String(port), DATABASE_URL: db.url }, flags);
    try {
      await until(async () => (await readyz().catch(() => null)) !== null);
      const blocked = "select from pg_locks where relation = 'organization'::regclass and not granted";
      await until(async () => ((await db.pool.query(blocked)).rowCount ?? 0) > 0);
      for (let asked = 0; asked < 10; asked++) {
        const early = await readyz();
        expect([early.status, await early.json()]).toMatchObject([503, { status: "not_ready" }]);
      }
      await held.query("rollback");
      const { welcome } = await starting;
      expect(welcome).toContain("svc_live_");
      await until(async () => (await readyz()).status === 200);
    } finally {
      await held.query("rollback");
      await (await starting).stop("SIGTERM");
      held.release();
      await drop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
  60_000,
);

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(50);
}
