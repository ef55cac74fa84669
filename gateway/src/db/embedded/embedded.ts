import type pg from "pg";
import { codeOf } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { ensureCluster } from "./cluster.ts";
import { clusterPaths, loadPassword, prepareDataDir, requireMajor } from "./cluster-paths.ts";
import { EmbeddedPostgresError } from "./embedded-error.ts";
import { takeOwnRole } from "./own-role.ts";
import { findBinaries } from "./postgres-binaries.ts";
import { postgresUser } from "./postgres-user.ts";
import { ensureRunning, type ServerOptions } from "./postmaster.ts";
import { joinServer } from "./presence.ts";
import { readableBinaries } from "./readable-binaries.ts";
import { urlOf } from "./server-address.ts";
import { DURABLE_SETTINGS, type ServerSettings } from "./server-settings.ts";

type EmbeddedServer = {
  readonly url: string;
  /** The last process to leave stops the server and waits until it has stopped. */
  leave(): Promise<void>;
};

const DATABASE_NAME = "bursar";

type EmbeddedOptions = {
  readonly dataDir: string;
  readonly log: Log;
  readonly settings?: ServerSettings;
};

/** Attaches to the PostgreSQL of this data folder; creates and starts it if necessary. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  try {
    return await attach(options);
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    // A full disk, a missing permission: whatever it is, the operator gets one sentence.
    throw new EmbeddedPostgresError((error as Error).message, { cause: error });
  }
}

async function attach(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const dataDir = prepareDataDir(options.dataDir);
  const paths = clusterPaths(dataDir);
  const installed = findBinaries();
  const user = postgresUser(paths.cluster);
  const binaries = readableBinaries(installed, user);
  const settings = options.settings ?? DURABLE_SETTINGS;
  await ensureCluster(dataDir, { binaries, user, sync: settings["fsync"] !== "off" });
  const password = loadPassword(paths);
  requireMajor(paths, installed.version);
  const server: ServerOptions = { paths, binaries, user, settings, log: options.log };
  const presence = await joinServer({
    paths,
    log: options.log,
    adminUrl: async () => urlOf(await ensureRunning(server), password),
    async prepare(client, isAlone) {
      await ensureDatabase(client);
      if (isAlone) await takeOwnRole(client, DATABASE_NAME);
    },
  });
  return {
    url: presence.adminUrl.replace(/\/postgres$/, `/${DATABASE_NAME}`),
    leave: () => presence.leave(),
  };
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query("select from pg_database where datname = $1", [DATABASE_NAME]);
  if (rowCount !== 0) return;
  try {
    await client.query(`create database ${DATABASE_NAME}`);
  } catch (error) {
    // Another process was faster: duplicate_database, or unique_violation at the same instant.
    const code = codeOf(error);
    if (code !== "42P04" && code !== "23505") throw error;
  }
}
