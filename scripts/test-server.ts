import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { clusterPaths } from "../src/db/embedded/cluster-paths.ts";
import { openEmbedded } from "../src/db/embedded/embedded.ts";
import { isAlive } from "../src/db/embedded/postgres-process.ts";
import { stopServer } from "../src/db/embedded/postmaster.ts";
import { THROWAWAY_SETTINGS } from "../src/db/embedded/server-settings.ts";
import { prepareTemplate } from "../src/db/testing.ts";
import { silentLog } from "../src/telemetry/index.ts";
import { makeTestFolder, testFolderPlaces } from "../test/test-folder.ts";

export type TestServer = { readonly url: string; stop(): Promise<void> };

const FOLDER = /^bursar-test-(\d+)-/;

/** One PostgreSQL for a whole run, in a temporary folder. */
export async function startTestServer(): Promise<TestServer> {
  await removeAbandoned();
  const dataDir = makeTestFolder();
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

/** Removes what killed runs and killed test workers left behind. Their folders contain their process ids. */
async function removeAbandoned(): Promise<void> {
  for (const dataDir of testFolderPlaces().flatMap((place) =>
    readdirSync(place).map((name) => join(place, name)),
  )) {
    const pid = Number(FOLDER.exec(basename(dataDir))?.[1] ?? 0);
    if (pid === 0 || isAlive(pid)) continue;
    try {
      await stopServer(clusterPaths(dataDir), silentLog);
      rmSync(dataDir, { recursive: true, force: true });
    } catch {
      // It belongs to another user, or another run removes it at this moment.
    }
  }
}
