import { nameOfObjectsPlace } from "../../assets/index.ts";
import { type Catalog, catalogMark, organizationsNamedBy } from "../../catalog/index.ts";
import { type Config, findSecret } from "../../config/index.ts";
import {
  type Database,
  DatabaseEncodingError,
  EmbeddedPostgresError,
  HOW_TO_MAKE,
  hasCluster,
  isOutOfConnections,
  loadClockSkewMs,
  MigrationError,
  PooledSessionsError,
  pendingMigrations,
  UnreachableDatabaseError,
  versionToMake,
} from "../../db/index.ts";
import { MINUTE_MS } from "../../kit/index.ts";
import { findDifferences, nodeMarks } from "../../ledger/index.ts";
import { loadDurability, loadServerVersion, loadServingProcesses } from "../store.ts";
import { commandText, countText } from "../wording.ts";
import { broken, type Check, fine, fixUnlessFull, reasonOf, warning } from "./check.ts";
import { checkOrganizations } from "./organizations.ts";
import { checkRefusal, checkRights, checkRightsToMigrate } from "./rights.ts";

/** Whether the nodes that serve now have the same settings as here. Empty if they do, or none serves. */
export async function checkNodes(db: Database, config: Config, catalog: Catalog | null): Promise<Check[]> {
  const secret = findSecret(config);
  if (secret === null) return [];
  const own = nodeMarks({
    secret,
    objectsPlace: nameOfObjectsPlace(config.objects),
    catalogMark: catalog && catalogMark(catalog, config.limits),
  });
  const differences = await findDifferences(db, own, null);
  return differences.map(({ found, repair }) => warning("nodes", found, repair));
}

/** Request ids contain the machine's time: beyond this, lists of requests begin to look wrong. */
const NOTICEABLE_SKEW_MS = 5_000;
/** Beyond this, a node that starts believes neither, and no credits expire. */
const HARMFUL_SKEW_MS = MINUTE_MS;

const MORE_CONNECTIONS =
  "Raise max_connections of the server or the limit of the role (`alter role … connection limit`), or lower " +
  "BURSAR_DATABASE_POOL: each process opens that many connections, and up to nine more.";

export type DatabaseChecks = {
  readonly checks: readonly Check[];
  /** The processes that serve on it; null if unknown. */
  readonly servedBy: readonly string[] | null;
};

/** Checks that it is reachable, up to date, agrees with our clock, and has the organizations that the catalog names. */
export async function checkDatabase(
  config: Config,
  open: (config: Config) => Promise<Database>,
  catalog: Catalog | null,
): Promise<DatabaseChecks> {
  if (config.databaseUrl === null && !hasCluster(config.dataDir)) {
    return { checks: [checkDatabaseToMake(config)], servedBy: [] };
  }
  const what = config.databaseUrl === null ? "PostgreSQL of the data folder" : "DATABASE_URL";
  let db: Database | undefined;
  try {
    db = await open(config);
    const version = await loadServerVersion(db);
    const reachable = fine("database", `${what} answers (PostgreSQL ${version})`);
    const migrations = await checkMigrations(db);
    const checks = [reachable, ...(await checkDurability(db)), ...migrations];
    const isMigrated = migrations.every(({ name, state }) => name !== "migrations" || state === "ok");
    if (!isMigrated) return { checks, servedBy: null };
    const organizations = catalog === null ? new Set<string>() : organizationsNamedBy(catalog);
    checks.push(...(await checkOrganizations(db, organizations)), ...(await checkNodes(db, config, catalog)));
    return { checks, servedBy: await loadServingProcesses(db) };
  } catch (error) {
    return { checks: [checkFailure(config, what, error)], servedBy: null };
  } finally {
    await db?.close().catch(() => {});
  }
}

/** Why it could not be opened or queried. */
function checkFailure(config: Config, what: string, error: unknown): Check {
  if (error instanceof DatabaseEncodingError) {
    const finding = `${what} names a database with the encoding ${error.encoding}, which cannot store every character`;
    return broken("database", finding, `Make one of UTF8: ${HOW_TO_MAKE}.`);
  }
  if (error instanceof PooledSessionsError) {
    const fix = "Set `pool_mode = session` in PgBouncer, or name the server itself.";
    return broken("database", `${what} names a pooler that does not keep sessions`, fix);
  }
  const cause = error instanceof UnreachableDatabaseError ? error.cause : error;
  if (isOutOfConnections(cause)) {
    return broken("database", `${what} has no connection left (${reasonOf(cause)})`, MORE_CONNECTIONS);
  }
  const refusal = checkRefusal(what, error);
  if (refusal !== null) return refusal;
  const fix = fixUnlessFull(cause, fixFor(config, cause));
  return broken("database", `${what} does not answer (${reasonOf(cause)})`, fix);
}

/** Opening it would create it, and an empty database in a wrong folder would then be taken for the right one. */
function checkDatabaseToMake(config: Config): Check {
  try {
    const version = versionToMake(config.dataDir);
    return fine("database", `PostgreSQL ${version} of the data folder will be created at the first start`);
  } catch (error) {
    const finding = `PostgreSQL of the data folder cannot be created (${reasonOf(error)})`;
    const fix = "Set DATABASE_URL to a PostgreSQL of your own.";
    return broken("database", finding, fixUnlessFull(error, fix));
  }
}

/** What was confirmed to a client must survive a crash. */
async function checkDurability(db: Database): Promise<Check[]> {
  const { synchronousCommit, isFlushed } = await loadDurability(db);
  const checks: Check[] = [];
  if (synchronousCommit === "off") {
    checks.push(
      warning(
        "durability",
        "synchronous_commit is off; Bursar turns it on in its own sessions",
        "Run `alter database … reset synchronous_commit`: other tools may lose committed data in a crash.",
      ),
    );
  }
  if (!isFlushed) {
    const finding = "fsync is off: a crash of its machine may destroy the database";
    checks.push(warning("durability", finding, "Set fsync = on in the server's postgresql.conf."));
  }
  if (checks.length > 0) return checks;
  return [fine("durability", `commits wait for the disk (synchronous_commit = ${synchronousCommit})`)];
}

async function checkMigrations(db: Database): Promise<Check[]> {
  try {
    const pending = await pendingMigrations(db);
    if (pending.length > 0) {
      const finding = `${countText(pending.length, "migration")} not applied yet`;
      const lacking = await checkRightsToMigrate(db, finding);
      if (lacking !== null) return [lacking];
      return [
        warning(
          "migrations",
          finding,
          `Run ${commandText("migrate")}; ${commandText("serve")} does it, too.`,
        ),
      ];
    }
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    return [
      broken("migrations", reasonOf(error), "Run the version of Bursar that this database belongs to."),
    ];
  }
  return [fine("migrations", "all applied"), ...(await checkRights(db)), await checkTime(db)];
}

async function checkTime(db: Database): Promise<Check> {
  const skewMs = await loadClockSkewMs(db);
  const finding = `the database's clock is ${Math.abs(skewMs / 1000).toFixed(1)} s ${skewMs < 0 ? "behind" : "ahead"}`;
  const fix = `Synchronize the clocks of both machines with NTP. More than a minute apart, no credits expire and no plan is renewed until ${commandText("clock accept")}.`;
  if (Math.abs(skewMs) >= HARMFUL_SKEW_MS) return broken("time", finding, fix);
  if (Math.abs(skewMs) >= NOTICEABLE_SKEW_MS) return warning("time", finding, fix);
  return fine("time", "the same here and in the database");
}

function fixFor(config: Config, error: unknown): string {
  if (config.databaseUrl !== null) {
    return "Check DATABASE_URL: host, port, user, password and database, and that the server lets this machine in.";
  }
  return error instanceof EmbeddedPostgresError
    ? "See the end of its log in the data folder, or set DATABASE_URL to a PostgreSQL of your own."
    : "Set DATABASE_URL to a PostgreSQL of your own if this does not go away.";
}
