import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PLACE_FILE } from "../../gateway/src/assets/index.ts";
import { sha256 } from "../../gateway/src/kit/index.ts";
import { type Check, createFaults } from "./check.ts";
import type { RunOperator } from "./operator.ts";
import type { Stage } from "./stage.ts";
import { markOf } from "./upstream-process.ts";

const BEYOND_EVERY_STRAY_MS = 3 * 60 * 60 * 1_000;
const MOST_SWEEPS = 100;

/** Checks the library and its files. Moves the database's clock, so no node may be serving any more. */
export async function checkAssets(stage: Stage, operator: RunOperator): Promise<readonly Check[]> {
  await stage.database.advanceClock(BEYOND_EVERY_STRAY_MS);
  for (let sweeps = 0; sweeps < MOST_SWEEPS; sweeps++) {
    if ((await operator.services.library.sweep()) === 0) break;
  }
  const { rows } = await stage.database.db.pool.query<{
    object_key: string;
    sha256: Buffer;
    tag: string | null;
    charged: boolean;
  }>(
    `select a.object_key, a.sha256, substring(a.prompt from 'tag=(\\d+)') as tag,
       exists (select from requests r where r.org_id = a.org_id and r.request_id = a.request_id
         and r.charged_subscription + r.charged_anytime = a.credits_charged) as charged
     from assets a`,
  );
  const folder = stage.environment["BURSAR_OBJECTS_DIR"] ?? "";
  const files = filesIn(folder);
  const kept = createFaults();
  for (const row of rows) {
    const path = files.get(row.object_key);
    if (path === undefined) kept.add(`${row.object_key} is listed, but there is no file`);
    else if (!isRight(readFileSync(path), row)) kept.add(`${row.object_key} is not the file that was made`);
    if (!row.charged) kept.add(`${row.object_key} was not charged as its row says`);
  }
  const owned = new Set(rows.map((row) => row.object_key));
  const unowned = [...files.keys()].filter((key) => !owned.has(key)).slice(0, 20);
  const orphans = await stage.database.db.pool.query("select object_key from stray_objects limit 20");
  return [
    {
      what: "every charged asset is there, with its hash",
      looked: `${rows.length} assets`,
      faults: kept.list,
    },
    {
      what: "no file lacks a row after the sweep",
      looked: `${files.size} files`,
      faults: [...unowned, ...orphans.rows.map((row) => `stray ${row.object_key}`)],
    },
  ];
}

function isRight(bytes: Buffer, row: { readonly sha256: Buffer; readonly tag: string | null }): boolean {
  return sha256(bytes).equals(row.sha256) && bytes.includes(markOf(Number(row.tag)));
}

/** Keyed by the end of their paths, as the store names objects. */
function filesIn(folder: string): Map<string, string> {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== PLACE_FILE,
  );
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), path];
    }),
  );
}
