import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clusterPaths } from "../src/db/cluster-paths.ts";
import { openEmbedded } from "../src/db/embedded.ts";
import { isAlive } from "../src/db/postgres-process.ts";
import { stopServer } from "../src/db/postmaster.ts";
import { THROWAWAY_SETTINGS } from "../src/db/server-settings.ts";
import { prepareTemplate } from "../src/db/testing.ts";
import { silentLog } from "../src/telemetry/index.ts";

export type TestServer = { readonly url: string; stop(): Promise<void> };

const FOLDER = /^bursar-test-(\d+)-/;

/** One PostgreSQL for a whole run, in a folder that goes away with it. */
export async function startTestServer(): Promise<TestServer> {
  await removeAbandoned();
  const dataDir = mkdtempSync(join(tmpdir(), `bursar-test-${process.pid}-`));
  const server = await openEmbedded({ dataDir, log: silentLog, settings: THROWAWAY_SETTINGS });
  const stop = async () => {
    await server.leave();
    rmSync(dataDir, { recursive: true, force: true });
    await removeAbandoned();
  };
  try {
    await prepareTemplate(server.url);
    return { url: server.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What killed runs and killed test workers left behind. Their folders carry their process numbers. */
async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(FOLDER.exec(name)?.[1] ?? 0);
    if (pid === 0 || isAlive(pid)) continue;
    const dataDir = join(tmpdir(), name);
    try {
      await stopServer(clusterPaths(dataDir), silentLog);
      rmSync(dataDir, { recursive: true, force: true });
    } catch {
      // Another user's, or another run removes it at this moment.
    }
  }
}
