import type pg from "pg";
import { type Database, isLockTimeout } from "../db/index.ts";

/**
 * Creating a partition locks the whole of `requests`. While it waits for that lock, every settlement queues behind it,
 * so it must not wait as long as a backup or a report reads the table.
 */
const LOCK_WAIT_MS = 200;

/**
 * Creates the partitions of this month and the next two; returns how many were created. If the table is in use, it is
 * left for the next run; that is an error only if there would be no partition for calls a week from now.
 */
export async function makePartitions(db: Database): Promise<number> {
  try {
    return await db.transaction(makeSoon);
  } catch (error) {
    if (isLockTimeout(error) && (await hasPartitionInAWeek(db))) return 0;
    throw error;
  }
}

async function makeSoon(client: pg.PoolClient): Promise<number> {
  await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}`);
  const result = await client.query<{ made: number }>("select make_request_partitions() as made");
  return result.rows[0]?.made ?? 0;
}

async function hasPartitionInAWeek(db: Database): Promise<boolean> {
  const result = await db.pool.query<{ has: boolean }>(
    `select to_regclass('requests_' || to_char((bursar_now() + interval '7 days') at time zone 'UTC', 'YYYY_MM'))
       is not null as has`,
  );
  return result.rows[0]?.has === true;
}
