import pg from "pg";
import { atMost, codeOf } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import type { ClusterPaths } from "./cluster-paths.ts";
import { EmbeddedPostgresError } from "./embedded-error.ts";
import { stopServer } from "./postmaster.ts";

type Presence = {
  readonly adminUrl: string;
  /** The last process to leave stops the server and waits until it has stopped. */
  leave(): Promise<void>;
};

type PresenceOptions = {
  paths: ClusterPaths;
  log: Log;
  /** Makes sure that the server runs, and returns its URL. */
  adminUrl(): Promise<string>;
  /** Creates what must exist before any work; repeated if the server goes away meanwhile. */
  prepare(client: pg.Client, isAlone: boolean): Promise<void>;
};

/** Every process that uses the server holds this lock shared; one that gets it exclusively is the last. */
export const PRESENCE_LOCK = 7_226_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** A server in crash recovery refuses connections until it has replayed its log. */
const JOIN_TIMEOUT_MS = 120_000;
const RETRY_MS = 50;
const MAX_REJOIN_WAIT_MS = 5_000;
/** How long a leaving process waits for a server that may never come back. */
const LEAVE_WAIT_MS = 5_000;

/**
 * Attaches this process to the server and keeps it attached: if PostgreSQL dies, it is started again. There is no
 * counter or file of attached processes, which a `kill -9` would make wrong: a dead process's lock ends with its
 * connection.
 */
export async function joinServer(options: PresenceOptions): Promise<Presence> {
  const first = await join(options);
  const left = Promise.withResolvers<void>();
  let client: pg.Client | undefined;
  let leaving = false;
  let rejoining: Promise<void> | undefined;

  function hold(joined: pg.Client): void {
    client = joined;
    joined.once("end", () => {
      client = undefined;
      if (!leaving) rejoining = rejoin();
    });
  }

  async function rejoin(): Promise<void> {
    options.log.warn("postgres_lost");
    for (let waitMs = RETRY_MS; !leaving; waitMs = Math.min(waitMs * 2, MAX_REJOIN_WAIT_MS)) {
      try {
        const joined = await join(options);
        if (leaving) return leaveServer(joined.client, options);
        if (joined.adminUrl !== first.adminUrl) options.log.error("postgres_moved");
        hold(joined.client);
        options.log.info("postgres_back");
        return;
      } catch (error) {
        options.log.error("postgres_not_back", { error: (error as Error).message });
        await atMost(left.promise, waitMs);
      }
    }
  }

  hold(first.client);
  return {
    adminUrl: first.adminUrl,
    async leave() {
      leaving = true;
      left.resolve();
      if (rejoining) await atMost(rejoining, LEAVE_WAIT_MS);
      if (client) await leaveServer(client, options);
    },
  };
}

/** The last process to leave may stop the server while we connect: then we start it again. */
async function join(options: PresenceOptions): Promise<{ adminUrl: string; client: pg.Client }> {
  const giveUpAt = performance.now() + JOIN_TIMEOUT_MS;
  for (;;) {
    const adminUrl = await options.adminUrl();
    const client = new pg.Client({
      connectionString: adminUrl,
      application_name: "bursar presence",
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      lock_timeout: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    // We react to the end of the connection; without this listener an error would end the process.
    client.on("error", () => {});
    try {
      await client.connect();
      // Whoever comes first prepares alone; those who come meanwhile wait here.
      const { rows } = await client.query<{ alone: boolean }>(
        "select pg_try_advisory_lock($1) as alone, pg_advisory_lock_shared($1)",
        [PRESENCE_LOCK],
      );
      const isAlone = rows[0]?.alone === true;
      await options.prepare(client, isAlone);
      if (isAlone) await client.query("select pg_advisory_unlock($1)", [PRESENCE_LOCK]);
      return { adminUrl, client };
    } catch (error) {
      await client.end().catch(() => {});
      if (isFinal(error) || performance.now() > giveUpAt) {
        throw new EmbeddedPostgresError(`it refuses us (${(error as Error).message})`, { cause: error });
      }
      await Bun.sleep(RETRY_MS);
    }
  }
}

/** Wrong password, no permission for the socket, a path too long for a socket: waiting changes nothing. */
function isFinal(error: unknown): boolean {
  return ["28P01", "28000", "EACCES", "EPERM", "ENAMETOOLONG"].includes(codeOf(error) ?? "");
}

async function leaveServer(client: pg.Client, options: PresenceOptions): Promise<void> {
  try {
    const unlocking = client.query<{ alone: boolean }>(
      "select pg_advisory_unlock_shared($1), pg_try_advisory_lock($1) as alone",
      [PRESENCE_LOCK],
    );
    if (!(await atMost(unlocking, LEAVE_WAIT_MS))) throw new Error("it does not answer");
    const { rows } = await unlocking;
    // From here on nobody else can attach: they wait for the lock and then find the server gone.
    if (rows[0]?.alone === true) await stopServer(options.paths, options.log);
  } catch (error) {
    options.log.warn("postgres_leave_failed", { error: (error as Error).message });
  } finally {
    await atMost(
      client.end().catch(() => {}),
      LEAVE_WAIT_MS,
    );
  }
}
