import { createHash } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { clusterPaths } from "../gateway/src/db/embedded/cluster-paths.ts";
import { openEmbedded } from "../gateway/src/db/embedded/embedded.ts";
import { SUPERUSER } from "../gateway/src/db/embedded/own-role.ts";
import { isAlive } from "../gateway/src/db/embedded/postgres-process.ts";
import { stopServer } from "../gateway/src/db/embedded/postmaster.ts";
import { THROWAWAY_SETTINGS } from "../gateway/src/db/embedded/throwaway-testing.ts";
import { prepareTemplate, superuserUrlOf } from "../gateway/src/db/testing.ts";
import { silentLog } from "../gateway/src/telemetry/index.ts";
import { makeTestFolder, testFolderPlaces } from "../test/test-folder.ts";

export type TestServer = { readonly url: string; stop(): Promise<void> };

const FOLDER = /^bursar-test-(\d+)-/;
const ROOT = join(import.meta.dir, "..");
const KEPT = join(ROOT, "node_modules", ".cache");
const KEPT_NAME = "bursar-test-cluster-";

/** One PostgreSQL for a whole run, in a temporary folder. */
export async function startTestServer(): Promise<TestServer> {
  await removeAbandoned();
  const dataDir = makeTestFolder();
  try {
    await fillFolder(dataDir);
    const server = await openEmbedded({ dataDir, log: silentLog, settings: THROWAWAY_SETTINGS });
    const stop = async () => {
      await server.leave();
      rmSync(dataDir, { recursive: true, force: true });
      await removeAbandoned();
    };
    // Tests make roles and databases, and forge rows.
    return { url: superuserUrlOf(server.url), stop };
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  }
}

/** A cluster with its templates takes a second to make and a tenth of one to copy, so the last one made is kept. */
async function fillFolder(dataDir: string): Promise<void> {
  const kept = join(KEPT, `${KEPT_NAME}${originOfCluster()}`);
  if (existsSync(kept)) return copyFolder(kept, dataDir);
  const server = await openEmbedded({ dataDir, log: silentLog, settings: THROWAWAY_SETTINGS });
  try {
    trustOwnUser(dataDir);
    await prepareTemplate(superuserUrlOf(server.url));
  } finally {
    await server.leave();
  }
  await keepCluster(dataDir, kept);
}

/** Another run may keep the same at this moment: then one of the two is enough. */
async function keepCluster(dataDir: string, kept: string): Promise<void> {
  for (const name of readdirSync(KEPT)) {
    if (name.startsWith(KEPT_NAME)) rmSync(join(KEPT, name), { recursive: true, force: true });
  }
  const draft = mkdtempSync(`${kept}-`);
  try {
    await copyFolder(dataDir, draft);
    renameSync(draft, kept);
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** What a cluster with its templates is made from. */
const ORIGINS = ["bun.lock", "gateway/sql/**/*.sql", "scripts/test-server.ts", "gateway/src/db/**/*.ts"];

function originOfCluster(): string {
  const hash = createHash("sha256");
  for (const pattern of ORIGINS) {
    const paths = [...new Bun.Glob(pattern).scanSync(ROOT)].sort();
    if (paths.length === 0) throw new Error(`nothing is at ${pattern}`);
    for (const path of paths) hash.update(readFileSync(join(ROOT, path)));
  }
  return hash.digest("hex").slice(0, 16);
}

/** With owners: PostgreSQL refuses files of another user. */
async function copyFolder(from: string, to: string): Promise<void> {
  await Bun.$`cp -a ${from}/. ${to}`.quiet();
}

/**
 * Tests open thousands of connections, and proving the password takes two fifths of the CPU of each. The socket is in a
 * folder that only its user may enter; a connection over TCP still proves it.
 */
function trustOwnUser(dataDir: string): void {
  const rules = join(clusterPaths(dataDir).cluster, "pg_hba.conf");
  writeFileSync(rules, `local all ${SUPERUSER} trust\n${readFileSync(rules, "utf8")}`);
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
