import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The main process of the PostgreSQL that runs in this data folder. */
export function postmasterPid(dataDir: string): number {
  const text = readFileSync(join(dataDir, "postgres", "cluster", "postmaster.pid"), "utf8");
  return Number(text.split("\n")[0]);
}
