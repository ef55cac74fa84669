import type pg from "pg";
import type { Database } from "../../db/index.ts";
import { atMost } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import type { Freshness } from "./freshness.ts";
import { listenForChanges, loadVersion } from "./store.ts";

/** Keeps `Freshness` up to date over its own connection: notifications as they arrive, and a check on every beat. */
type VersionWatch = {
  /** Checks now instead of at the next beat. Resolves even if the database cannot be reached. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

const BEAT_MS = 400;
/** A check that takes longer means a dead connection. Trust has lapsed long before. */
const CHECK_TIMEOUT_MS = 2_000;
const MIN_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 2_000;
/** A connection that does not close within this time is left to the operating system. */
const GOODBYE_MS = 400;

/** Resolves after the first attempt, successful or not: a node must start without a database, too. */
export async function startVersionWatch(options: {
  db: Pick<Database, "connect">;
  freshness: Freshness;
  log: Log;
}): Promise<VersionWatch> {
  const { db, freshness, log } = options;
  let woken = Promise.withResolvers<void>();
  let connected: pg.Client | undefined;
  let closed = false;

  const wake = () => woken.resolve();

  async function pause(ms: number): Promise<void> {
    woken = Promise.withResolvers();
    await atMost(woken.promise, ms);
  }

  async function check(client: pg.Client): Promise<void> {
    const started = freshness.begin();
    freshness.complete(started, await loadVersion(client, CHECK_TIMEOUT_MS));
  }

  async function beat(client: pg.Client, onBeat: () => void): Promise<void> {
    client.on("end", wake);
    await listenForChanges(client, { hear: freshness.hear, timeoutMs: CHECK_TIMEOUT_MS });
    connected = client;
    while (!closed) {
      const startedMs = performance.now();
      await check(client);
      onBeat();
      if (!closed) await pause(BEAT_MS - (performance.now() - startedMs));
    }
  }

  async function run(onAttempt: () => void): Promise<void> {
    let backoffMs = MIN_BACKOFF_MS;
    while (!closed) {
      let client: pg.Client | undefined;
      try {
        client = await db.connect();
        await beat(client, () => {
          backoffMs = MIN_BACKOFF_MS;
          onAttempt();
        });
      } catch (error) {
        if (!closed) log.warn("identity_watch_lost", { error: String(error), retry_ms: backoffMs });
      }
      connected = undefined;
      if (client) await sayGoodbye(client);
      onAttempt();
      if (closed) return;
      await pause(backoffMs);
      backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS);
    }
  }

  let running: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve) => {
    running = run(resolve);
  });
  return {
    async refresh() {
      if (connected) await check(connected).catch(() => {});
    },
    async close() {
      closed = true;
      wake();
      // A hanging check ends by its own timeout; shutdown does not wait for it.
      await atMost(running, GOODBYE_MS * 2);
    },
  };
}

/** `end` destroys the socket if a query is pending; otherwise it waits for the server. */
async function sayGoodbye(client: pg.Client): Promise<void> {
  await atMost(
    client.end().catch(() => {}),
    GOODBYE_MS,
  );
}

/** For administrative commands: nothing is cached, every lookup goes to the database. */
export const noVersionWatch: VersionWatch = { refresh: async () => {}, close: async () => {} };
