import type { Database } from "./database.ts";
import type { SessionSettings } from "./durable-session.ts";
import { LANE_SESSION } from "./lane-options.ts";

/** For one transaction: the connection's next user is told nothing of it. */
const AS_IN_LANE = asInLane(LANE_SESSION);

/**
 * The same database, where what belongs to a lane takes a connection of the pool for its one statement: for those who
 * would keep the lane from everybody else.
 */
export function throughPool(db: Database): Database {
  async function query<Row>(text: string, values: unknown[]): Promise<readonly Row[]> {
    return db.transaction(async (client) => {
      await client.query(AS_IN_LANE);
      const { rows } = await client.query(text, values);
      return rows as Row[];
    });
  }
  const nothing = async () => {};
  return { ...db, lane: () => ({ query, open: nothing, close: nothing }) };
}

function asInLane(settings: SessionSettings): string {
  const told = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return `select ${told.join(", ")}`;
}
