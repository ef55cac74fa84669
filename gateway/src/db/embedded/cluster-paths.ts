import { accessSync, constants, existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../kit/index.ts";
import { EmbeddedPostgresError } from "./embedded-error.ts";

/** Where PostgreSQL lives under the data folder. `home` exists completely or not at all. */
export type ClusterPaths = {
  readonly home: string;
  /** PostgreSQL's own data directory, owned by the user that runs it. */
  readonly cluster: string;
  readonly password: string;
  readonly log: string;
};

export function clusterPaths(dataDir: string): ClusterPaths {
  const home = join(dataDir, "postgres");
  return {
    home,
    cluster: join(home, "cluster"),
    password: join(home, "password"),
    log: join(home, "postgres.log"),
  };
}

export function hasCluster(dataDir: string): boolean {
  return existsSync(clusterPaths(dataDir).home);
}

/** Returns the real path of the data folder, created if necessary: sockets and processes are found by it. */
export function prepareDataDir(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(dataDir);
  } catch (error) {
    if (codeOf(error) === "EACCES") throw foreignFolder(dataDir, error);
    throw new EmbeddedPostgresError(
      `the data folder ${dataDir} (BURSAR_DATA_DIR) cannot be made (${(error as Error).message})`,
      { cause: error },
    );
  }
}

export function loadPassword(paths: ClusterPaths): string {
  const password = readPassword(paths);
  if (password !== "") return password;
  throw new EmbeddedPostgresError(
    `${paths.password} is empty, and the database cannot be opened without it: restore it from a copy of the folder`,
  );
}

function readPassword(paths: ClusterPaths): string {
  try {
    return readFileSync(paths.password, "utf8").trim();
  } catch (error) {
    if (codeOf(error) === "EACCES") throw foreignFolder(paths.home, error);
    throw new EmbeddedPostgresError(`${paths.password} cannot be read (${(error as Error).message})`, {
      cause: error,
    });
  }
}

/** PostgreSQL cannot read files of another major version. */
export function requireMajor(paths: ClusterPaths, version: string): void {
  const made = readFileSync(join(paths.cluster, "PG_VERSION"), "utf8").trim();
  const ours = version.split(".")[0];
  if (made !== ours) {
    throw new EmbeddedPostgresError(
      `${paths.home} was made by PostgreSQL ${made} and this is ${ours}; ` +
        "docs/operate.md explains how to move it with `bursar backup` and `bursar restore`",
    );
  }
}

function foreignFolder(folder: string, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `${folder} belongs to another user; BURSAR_DATA_DIR may name a folder of your own`,
    { cause },
  );
}
