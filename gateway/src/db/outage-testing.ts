import type pg from "pg";
import { silentLog } from "../telemetry/index.ts";
import { connectDatabase, type Database } from "./database.ts";

/** A connection to a database that fails from a chosen statement on, begin and commit included, and stays away. */
export type OutageDatabase = {
  readonly db: Database;
  /** From the n-th statement on, counted from now, none arrives. */
  goAwayAt(statement: number): void;
  /** Returns true if it had gone away. */
  comeBack(): boolean;
};

export function connectWithOutages(url: string): OutageDatabase {
  const db = connectDatabase({ url, poolSize: 4, log: silentLog });
  let left = Number.POSITIVE_INFINITY;
  db.pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const queryUnlessAway = (...given: unknown[]) => {
      left--;
      if (left > 0) return query(...given);
      const gone = new Error("Connection terminated unexpectedly");
      const callback = given.at(-1);
      return typeof callback === "function" ? callback(gone) : Promise.reject(gone);
    };
    client.query = queryUnlessAway as pg.PoolClient["query"];
  });
  return {
    db,
    goAwayAt(statement) {
      left = statement;
    },
    comeBack() {
      const wasAway = left <= 0;
      left = Number.POSITIVE_INFINITY;
      return wasAway;
    },
  };
}
