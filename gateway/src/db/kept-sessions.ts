import { randomBytes } from "node:crypto";
import type pg from "pg";

type Session = Pick<pg.Client, "query" | "end">;
type Connect = (signal?: AbortSignal) => Promise<Session>;

/** A busy pooler may hand out the same session twice by chance, but not this often. */
const ROUNDS = 5;
const ASK = "select current_setting('bursar.marker', true) as marker";

/**
 * True if a connection keeps its own session. A pooler in transaction mode assigns sessions anew for each transaction:
 * advisory locks are never released, and settings leak to others. Returns false only with proof: a connection has lost
 * its marker, or another one has it. Markers are unique, so a database that keeps sessions is never refused.
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
