import { mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { clusterPaths } from "../src/db/cluster-paths.ts";
import { openEmbedded } from "../src/db/embedded.ts";
import { isAlive } from "../src/db/postgres-process.ts";
import { stopServer } from "../src/db/postmaster.ts";
import { THROWAWAY_SETTINGS } from "../src/db/server-settings.ts";
import { prepareTemplate } from "../src/db/testing.ts";
import { silentLog } from "../src/telemetry/index.ts";

export type TestServer = { readonly url: string; stop(): Promise<void> };

const FOLDER = /^bursar-test-(\d+)-/;
/** Files in memory. Databases are made and dropped by the hundred, and a disk takes several times the CPU for that. */
const IN_MEMORY = "/dev/shm";
/** A run uses a tenth of it; where less is free, it belongs to somebody else. */
const ROOM_BYTES = 4 * 2 ** 30;

/** One PostgreSQL for a whole run, in a folder that goes away with it. */
export async function startTestServer(): Promise<TestServer> {
  await removeAbandoned();
  const dataDir = mkdtempSync(join(hasRoomInMemory() ? IN_MEMORY : tmpdir(), `bursar-test-${process.pid}-`));
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

function hasRoomInMemory(): boolean {
  return freemem() > 2 * ROOM_BYTES && bytesFreeIn(IN_MEMORY) > ROOM_BYTES;
}

/** Nothing where there is no such folder, as on a Mac. */
function bytesFreeIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** What killed runs and killed test workers left behind. Their folders carry their process numbers. */
async function removeAbandoned(): Promise<void> {
  const places = bytesFreeIn(IN_MEMORY) > 0 ? [tmpdir(), IN_MEMORY] : [tmpdir()];
  for (const dataDir of places.flatMap((place) => readdirSync(place).map((name) => join(place, name)))) {
    const pid = Number(FOLDER.exec(basename(dataDir))?.[1] ?? 0);
    if (pid === 0 || isAlive(pid)) continue;
    try {
      await stopServer(clusterPaths(dataDir), silentLog);
      rmSync(dataDir, { recursive: true, force: true });
    } catch {
      // Another user's, or another run removes it at this moment.
    }
  }
}
