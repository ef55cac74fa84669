import { randomBytes } from "node:crypto";
import type pg from "pg";

type Session = Pick<pg.Client, "query" | "end">;
type Connect = (signal?: AbortSignal) => Promise<Session>;

/** A pooler that is busy with others may give the same session twice by chance; not so often. */
const ROUNDS = 5;
const ASK = "select current_setting('bursar.marker', true) as marker";

/**
 * Whether what a connection sets is its own and stays. Behind a pooler that hands its sessions out anew for each
 * transaction, locks are never given back and settings reach strangers. False only with proof: one connection has lost
 * its marker, or another has it. A marker is never made twice, so a database that keeps sessions is never refused.
 */
export async function keepsSessions(connect: Connect, signal?: AbortSignal): Promise<boolean> {
  const sessions: Session[] = [];
  try {
    const own = await connect(signal);
    sessions.push(own);
    const other = await connect(signal);
    sessions.push(other);
    for (let round = 0; round < ROUNDS; round++) {
      const marker = randomBytes(16).toString("hex");
      await own.query(`select set_config('bursar.marker', '${marker}', false)`);
      if ((await markerOf(other)) === marker || (await markerOf(own)) !== marker) return false;
    }
    return true;
  } finally {
    await Promise.all(sessions.map((session) => session.end().catch(() => {})));
  }
}

async function markerOf(session: Session): Promise<unknown> {
  const { rows } = await session.query<{ marker: string | null }>(ASK);
  return rows[0]?.marker;
}
