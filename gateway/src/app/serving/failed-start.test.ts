import { expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeTestFolder } from "../../../../test/test-folder.ts";
import { silentLog } from "../../telemetry/index.ts";
import { openServices, type ServingServices, startServing } from "../services.ts";
import { inspectConfig } from "../settings.ts";
import { requireFreeAddress } from "./listening-address.ts";
import { listen } from "./serve.ts";

test("a start that fails leaves no PostgreSQL running", async () => {
  const dataDir = makeTestFolder();
  const { config } = inspectConfig({ BURSAR_DATA_DIR: dataDir }, dataDir);
  const services = await openServices(config, { log: silentLog, prepares: true });
  await services.db.pool.query("drop function lease_acquire");
  await services.close();
  await expect(
    startServing(config, { log: silentLog, runsAudits: false, runsVideoJobs: false }),
  ).rejects.toThrow("lease_acquire");
  expect(existsSync(join(dataDir, "postgres", "cluster", "postmaster.pid"))).toBe(false);
  rmSync(dataDir, { recursive: true, force: true });
}, 60_000);

test("a process that takes no calls does not share its port", async () => {
  const api = Bun.serve({ hostname: "127.0.0.1", port: 0, reusePort: true, fetch: () => new Response() });
  const { config } = inspectConfig({ PORT: String(api.port), BURSAR_SHARED_PORT: "true" }, "/nowhere");
  const start = () => listen({ config, log: silentLog } as ServingServices, { isHealthAlone: true });
  expect(start).toThrow(`127.0.0.1:${api.port} is taken`);
  await api.stop(true);
});

test("an address that cannot be listened on is named with its settings", async () => {
  const { config } = inspectConfig({ HOST: "203.0.113.9", PORT: "8787" }, "/nowhere");
  const told =
    "203.0.113.9:8787 cannot be listened on (EADDRNOTAVAIL: address not available, listen): set HOST to an address of this machine and PORT to one that this user may use.";
  expect(() => listen({ config, log: silentLog } as ServingServices)).toThrow(told);
  await expect(requireFreeAddress(config)).rejects.toThrow(told);
});
