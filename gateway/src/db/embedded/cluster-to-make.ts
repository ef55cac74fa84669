import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { clusterPaths } from "./cluster-paths.ts";
import { EmbeddedPostgresError } from "./embedded-error.ts";
import { findBinaries } from "./postgres-binaries.ts";
import { postgresUser } from "./postgres-user.ts";

const ANSWER_TIMEOUT_MS = 10_000;

/**
 * The version of PostgreSQL with which a first start would create a cluster. Throws if that would fail; creates
 * nothing.
 */
export function versionToMake(dataDir: string): string {
  const { dir } = findBinaries();
  postgresUser(clusterPaths(dataDir).cluster);
  const tried = spawnSync(join(dir, "bin", "postgres"), ["--version"], {
    encoding: "utf8",
    timeout: ANSWER_TIMEOUT_MS,
  });
  const version = /\d+\.\d+/.exec(tried.stdout ?? "")?.[0];
  if (tried.status === 0 && version !== undefined) return version;
  const reason = tried.error?.message ?? tried.stderr.trim();
  throw new EmbeddedPostgresError(`its binaries do not run (${reason})`, { cause: tried.error });
}
