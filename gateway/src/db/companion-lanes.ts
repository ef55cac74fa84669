import type { Database } from "./database.ts";

/**
 * The same database over separate lanes, for callers that would block the usual ones for everybody else. Most processes
 * never open one.
 */
export function companionLanes(db: Database): Database {
  return { ...db, lane: (name) => db.lane(`${name}_beside`) };
}
