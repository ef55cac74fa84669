import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { clusterPaths } from "../gateway/src/db/embedded/cluster-paths.ts";
import { openEmbedded } from "../gateway/src/db/embedded/embedded.ts";
import { SUPERUSER } from "../gateway/src/db/embedded/own-role.ts";
import { isAlive } from "../gateway/src/db/embedded/postgres-process.ts";
import { stopServer } from "../gateway/src/db/embedded/postmaster.ts";
import { THROWAWAY_SETTINGS } from "../gateway/src/db/embedded/server-settings.ts";
import { onServer, prepareTemplate, superuserUrlOf } from "../gateway/src/db/testing.ts";
import { silentLog } from "../gateway/src/telemetry/index.ts";
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
  // Tests make roles and databases, and forge rows.
  const url = superuserUrlOf(server.url);
  try {
    await trustOwnUser(url, dataDir);
    await prepareTemplate(url);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Tests open thousands of connections, and proving the password takes two fifths of the CPU of each. The socket is in a
 * folder that only its user may enter; a connection over TCP still proves it.
 */
async function trustOwnUser(url: string, dataDir: string): Promise<void> {
  const rules = join(clusterPaths(dataDir).cluster, "pg_hba.conf");
  writeFileSync(rules, `local all ${SUPERUSER} trust\n${readFileSync(rules, "utf8")}`);
  await onServer(url, "select pg_reload_conf()");
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
