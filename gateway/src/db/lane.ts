import pg from "pg";
import { atMost, ClosedForGood } from "../kit/index.ts";
import { type SessionSettings, setUpSession } from "./durable-session.ts";
import { socketOf } from "./idle-connections.ts";
import { isReadOnly } from "./is-away.ts";

/**
 * A single connection for sequential statements that are safe to repeat: the path of a paid call. Opened on first use,
 * or ahead of it.
 *
 * If a reply does not come in time, the statement fails and the connection is dropped, because a dead link shows only
 * when a new connection is tried. The same happens if the server is read-only: a new connection reaches the server that
 * has taken over.
 */
export type Lane = {
  /** Prepared on first use. PostgreSQL's bigint is returned as text. */
  query<Row>(text: string, values: unknown[]): Promise<readonly Row[]>;
  /** Connects ahead of the first statement, unless already open. */
  open(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Settings for the statements of the hot path: a lock that is not free within a second fails the statement, and plans
 * are made once. These tables are accessed by key only, so a plan made while a table was small must not scan it later.
 */
const LANE_SESSION: SessionSettings = {
  lock_timeout: "1s",
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
};

const CONNECT_TIMEOUT_MS = 5_000;
/** Locks are waited for at most a second, so a reply that takes longer than this is better requested again. */
const ANSWER_TIMEOUT_MS = 5_000;
/** For the statement that runs, and for the goodbye. */
const CLOSE_TIMEOUT_MS = 1_000;

/** `onDoubt` is called if a reply did not come in time or came from a read-only server. */
export function createLane(url: string, onDoubt: () => void): Lane {
  let client: pg.Client | null = null;
  let opening: Promise<pg.Client> | null = null;
  let isClosed = false;
  /** The driver takes one statement at a time. */
  let last: Promise<void> = Promise.resolve();
  const names = new Map<string, string>();

  /** Drops the connection that was used, which may have been replaced since. */
  function giveUp(doubted: pg.Client): void {
    onDoubt();
    forget(doubted);
    drop(doubted);
  }

  async function inTime<Answer>(of: pg.Client, asking: () => Promise<Answer>): Promise<Answer> {
    const timer = setTimeout(giveUp, ANSWER_TIMEOUT_MS, of);
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    try {
      await before;
      return await asking();
    } catch (error) {
      if (isReadOnly(error)) giveUp(of);
      throw error;
    } finally {
      clearTimeout(timer);
      resolve();
    }
  }

  async function ask<Row>(of: pg.Client, text: string, values: unknown[]): Promise<readonly Row[]> {
    const name = names.get(text) ?? `lane_${names.size}`;
    names.set(text, name);
    const { rows } = await inTime(of, () => of.query({ name, text, values }));
    return rows as readonly Row[];
  }

  async function open(): Promise<pg.Client> {
    const own = new pg.Client({
      connectionString: url,
      application_name: "bursar",
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    own.on("error", () => forget(own));
    own.once("end", () => forget(own));
    try {
      await own.connect();
      await inTime(own, () => setUpSession(own, LANE_SESSION));
      return own;
    } catch (error) {
      drop(own);
      throw error;
    }
  }

  function forget(closed: pg.Client): void {
    if (client === closed) client = null;
  }

  async function opened(): Promise<pg.Client> {
    opening ??= open().finally(() => {
      opening = null;
    });
    client = await opening;
    return client;
  }

  return {
    query<Row>(text: string, values: unknown[]) {
      if (isClosed) return Promise.reject(new ClosedForGood("the database was closed"));
      if (client !== null) return ask<Row>(client, text, values);
      return opened().then((own) => ask<Row>(own, text, values));
    },
    async open() {
      if (client === null && !isClosed) await opened();
    },
    async close() {
      isClosed = true;
      const closing = client;
      client = null;
      opening?.then(drop, () => {});
      if (closing === null) return;
      await atMost(
        last.then(() => closing.end()),
        CLOSE_TIMEOUT_MS,
      );
      drop(closing);
    },
  };
}

function drop(client: pg.Client): void {
  socketOf(client).destroy();
}
