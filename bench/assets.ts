import { createLibrary, type Library, openObjectStore } from "../gateway/src/assets/index.ts";
import type { Database } from "../gateway/src/db/index.ts";
import { assert, newId, present } from "../gateway/src/kit/index.ts";
import { silentLog } from "../gateway/src/telemetry/index.ts";
import { saveFigures } from "../scripts/figures/figure-file.ts";
import { openBenchDatabase } from "./bench-database.ts";
import { median, renderTable } from "./table.ts";

const SIZES = [100, 10_000, 1_000_000];
const REPEATS = 300;
const PAGE = 20;
const BATCH = 50_000;
const MEMBER = newId();

/** What a page of the library costs one organization as the library grows. */
export async function run(): Promise<void> {
  const bench = await openBenchDatabase();
  try {
    const { db } = bench;
    const objects = openObjectStore({ kind: "files", folder: `${bench.folder}/objects` });
    const library = createLibrary({ db, objects, secret: "bench", log: silentLog, databaseWaitMs: 30_000 });
    const orgId = newId();
    const rows: string[][] = [];
    let written = 0;
    for (const size of SIZES) {
      await addAssets(db, orgId, { from: written, to: size });
      written = size;
      await db.pool.query("vacuum analyze assets");
      rows.push([size.toLocaleString("en"), ...(await measure(library, orgId))]);
    }
    const header = [
      "assets",
      "first page ms",
      "deep page ms",
      "one member's ms",
      "one type's ms",
      "one asset ms",
    ];
    console.log(renderTable(header, rows));
    saveFigures({
      name: "assets",
      command: "npm run bench assets",
      seed: null,
      figures: rows.map(([assets, ...times]) => ({ assets, medianMs: times.map(Number) })),
      tables: { pages: { header, rows } },
    });
    const [least = [], ...more] = rows;
    const isGrown = more.some((row) => row.some((time, at) => at > 0 && isSlower(time, least[at])));
    if (isGrown) process.exitCode = 1;
  } finally {
    await bench.close();
  }
}

/** Figures below a millisecond fluctuate; more than one, and three times as much, is no fluctuation. */
function isSlower(time: string, least: string | undefined): boolean {
  return Number(time) > Math.max(1, 3 * Number(least));
}

/** One asset in a thousand is a member's, one in a thousand is audio: a filter must not have to search for them. */
async function addAssets(db: Database, orgId: string, span: { from: number; to: number }): Promise<void> {
  for (let from = span.from; from < span.to; from += BATCH) {
    await db.pool.query(
      `insert into assets
        select $1, gen_random_uuid(), bursar_now() - interval '400 days' + n * interval '1 s',
          case n % 1000 when 7 then 'audio' else 'image' end, 'assets/00/' || n, md5(n::text), 'image/png', 1000,
          sha256(n::text::bytea), 1024, 1024, null, 'model-' || n % 10, repeat('a prompt of some length ', 8),
          gen_random_uuid(), $1, case n % 1000 when 9 then $2::uuid end, 4
        from generate_series($3::integer, $4::integer - 1) n`,
      [orgId, MEMBER, from, Math.min(from + BATCH, span.to)],
    );
  }
}

async function measure(library: Library, orgId: string): Promise<string[]> {
  const first = await library.list(orgId, { limit: PAGE, cursor: null });
  const half = await deepCursor(library, orgId);
  const one = present(first?.assets[3], "an asset").id;
  return [
    await timeOf(() => library.list(orgId, { limit: PAGE, cursor: null })),
    await timeOf(() => library.list(orgId, { limit: PAGE, cursor: half })),
    await timeOf(() => library.list(orgId, { limit: PAGE, cursor: null, filter: { memberUserId: MEMBER } })),
    await timeOf(() => library.list(orgId, { limit: PAGE, cursor: null, filter: { type: "audio" } })),
    await timeOf(() => library.find(orgId, one)),
  ];
}

/** Some pages into the list; how far does not matter to an index. */
async function deepCursor(library: Library, orgId: string): Promise<string | null> {
  let cursor: string | null = null;
  for (let page = 0; page < 40; page++) {
    const next: string | null = (await library.list(orgId, { limit: 2_000, cursor }))?.nextCursor ?? null;
    if (next === null) break;
    cursor = next;
  }
  return cursor;
}

async function timeOf(work: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let at = 0; at < REPEATS; at++) {
    const startedMs = performance.now();
    assert((await work()) !== null, "an answer");
    times.push(performance.now() - startedMs);
  }
  return median(times).toFixed(2);
}
