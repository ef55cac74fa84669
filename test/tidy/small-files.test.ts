import { expect, test } from "bun:test";
import { posix } from "node:path";
import { imports } from "./imports.ts";
import { codeFiles, isTestCode, type SourceFile } from "./source-tree.ts";
import { expectNone } from "./violation.ts";

/** A file shorter than this, with one importer and no test of its own, belongs into that importer ... */
const SMALL_LINES = 60;
/** ... unless the two would be longer than this. */
const MOST_TOGETHER = 300;
const MOST_EXCEPTIONS = 40;

/** Small files that stay, each with its reason. */
const ALONE: Readonly<Record<string, string>> = {
  "compaction/src/message-text.ts": "where the text of a message lies",
  "console/api/use-ask-pages.ts": "how the console asks for pages",
  "console/pages/library/library.tsx": "a page that is loaded when opened",
  "gateway/src/admission/single-store.ts": "a store: SQL apart from rules",
  "gateway/src/assets/check-store.ts": "objects are known by assets alone; doctor asks",
  "gateway/src/catalog/limit-words.ts": "limits are the catalog's, and the page that shows them is not",
  "gateway/src/cli/migrate.ts": "a command",
  "gateway/src/cli/serve.ts": "a command",
  "gateway/src/db/embedded/cluster-to-make.ts": "clusters are known by db alone; doctor asks",
  "gateway/src/http/read-prompt.ts": "prompts are read by http alone; the command line asks",
  "gateway/src/http/routes.ts": "the list of all routes",
  "gateway/src/identity/links/store.ts": "a store: SQL apart from rules",
  "gateway/src/ledger/audit/audit-assets-store.ts": "a store: SQL apart from rules",
  "gateway/src/ledger/audit/audit-rules-store.ts": "a store: SQL apart from rules",
  "gateway/src/ledger/media-store.ts": "a store: SQL apart from rules",
  "gateway/src/ledger/single-store.ts": "a store: SQL apart from rules",
  "gateway/src/ledger/undo-expiry-store.ts": "a store: SQL of the ledger alone; a command asks",
  "gateway/src/outbound/http1/http1-exchange.ts": "how this folder's parts make one call",
  "gateway/src/providers/ai-sdk/media/elevenlabs-media.ts": "loaded only with a vendor's first call",
  "gateway/src/usage/receipt-store.ts": "a store: SQL apart from rules",
  "sandbox/src/render/edit-picture.ts": "loaded only in the render process, with the first edit",
  "sandbox/src/render/render-job.ts": "loads each medium's renderer with its first job",
  "scripts/faults/fail-points-part.ts": "one part of a command",
  "scripts/mutation/explained.ts": "names a file beside itself",
};

type Use = { readonly from: string; readonly to: string; readonly names: readonly string[] | null };

const product = imports.filter(
  ({ from, isOurs }) => isOurs && !isTestCode(from) && !from.startsWith("bench/"),
);

const isDoor = (path: string) => path.endsWith("/index.ts");

/** The files that use one of these names of a file, through however many doors; null for any name. */
function usersOf(path: string, of: readonly string[] | null, uses: readonly Use[]): readonly string[] {
  return uses.flatMap(({ from, to, names }) => {
    if (to !== path) return [];
    const shared = names === null || of === null ? (names ?? of) : names.filter((name) => of.includes(name));
    if (shared?.length === 0) return [];
    return isDoor(from) ? usersOf(from, shared, uses) : [from];
  });
}

/** Small files that the rule wants folded, with the file that would take them in. */
function toFold(files: readonly SourceFile[], uses: readonly Use[]) {
  const lines = new Map(files.map(({ path, lineCount }) => [path, lineCount]));
  return files.flatMap(({ path, lineCount }) => {
    const isOwn = !isTestCode(path) && !isDoor(path) && !path.startsWith("bench/");
    if (!isOwn || lineCount >= SMALL_LINES || lines.has(testOf(path))) return [];
    const [user, ...others] = new Set(usersOf(path, null, uses));
    if (user === undefined || others.length > 0) return [];
    return lineCount + (lines.get(user) ?? 0) < MOST_TOGETHER ? [{ path, what: `used only by ${user}` }] : [];
  });
}

function testOf(path: string): string {
  const { dir, name, ext } = posix.parse(path);
  return `${dir}/${name}.test${ext}`;
}

const found = toFold(codeFiles, product);

test("a small file with one importer and no test is folded into that, or says why not", () => {
  expectNone(
    found.filter(({ path }) => ALONE[path] === undefined),
    "Fold it into its only user, test it, or name it in test/tidy/small-files.test.ts with a reason.",
  );
});

test("the list of small files that stay is short, and each of them still is one", () => {
  expect(Object.keys(ALONE).length).toBeLessThanOrEqual(MOST_EXCEPTIONS);
  const small = new Set(found.map(({ path }) => path));
  expect(Object.keys(ALONE).filter((path) => !small.has(path))).toEqual([]);
});

test("a file is found by its users through doors, and spared by a second one, a test or its length", () => {
  const file = (path: string, lineCount: number) => ({ path, text: "", lineCount });
  const use = (from: string, to: string, names: readonly string[] | null = ["a"]) => ({ from, to, names });
  const door = "gateway/src/kit/index.ts";
  const files = [file("gateway/src/kit/a.ts", 10), file("gateway/src/http/b.ts", 100), file(door, 10)];
  const uses = [use(door, "gateway/src/kit/a.ts"), use("gateway/src/http/b.ts", door)];
  const what = [{ path: "gateway/src/kit/a.ts", what: "used only by gateway/src/http/b.ts" }];
  expect(toFold(files, uses)).toEqual(what);
  expect(toFold(files, [...uses, use("gateway/src/jobs/c.ts", door, ["other"])])).toEqual(what);
  expect(toFold(files, [...uses, use("gateway/src/jobs/c.ts", door)])).toEqual([]);
  expect(toFold([...files, file("gateway/src/kit/a.test.ts", 5)], uses)).toEqual([]);
  expect(toFold([file("gateway/src/kit/a.ts", 60), ...files.slice(1)], uses)).toEqual([]);
  const long = [file("gateway/src/kit/a.ts", 10), file("gateway/src/http/b.ts", 290), file(door, 10)];
  expect(toFold(long, uses)).toEqual([]);
});
