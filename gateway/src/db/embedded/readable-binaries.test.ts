import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { NOBODY } from "./other-user-testing.ts";
import { type Binaries, findBinaries } from "./postgres-binaries.ts";
import { readableBinaries } from "./readable-binaries.ts";

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.log("Not run by root: the tests of binaries in a closed folder are skipped.");

describe.skipIf(!isRoot)("PostgreSQL binaries in a folder that the database's user cannot enter", () => {
  let root: string;
  let hidden: Binaries;

  // Hooks of a skipped block would be counted as skipped tests.
  if (isRoot) {
    beforeAll(() => {
      root = mkdtempSync(join(tmpdir(), `bursar-test-${process.pid}-`));
      chmodSync(root, 0o755);
      mkdirSync(join(root, "closed"), { mode: 0o700 });
      hidden = { dir: join(root, "closed", "native"), version: "18" };
      cpSync(findBinaries().dir, hidden.dir, { recursive: true, verbatimSymlinks: true });
    });

    afterAll(() => rmSync(root, { recursive: true, force: true }));
  }

  function tempDir(name: string): string {
    const dir = join(root, name);
    mkdirSync(dir);
    chmodSync(dir, 0o1777);
    return dir;
  }

  test("are copied once to a readable place and found there again", () => {
    const place = tempDir("fresh");
    const copy = readableBinaries(hidden, NOBODY, place);
    expect(readdirSync(place)).toHaveLength(1);
    expect(statSync(copy).uid).toBe(0);
    expect(statSync(copy).mode & 0o777).toBe(0o755);
    const run = Bun.spawnSync([join(copy, "bin", "postgres"), "--version"], { cwd: "/" });
    expect(run.stdout.toString()).toContain("PostgreSQL");
    expect(readableBinaries(hidden, NOBODY, place)).toBe(copy);
    expect(readdirSync(place)).toHaveLength(1);
  });

  test("are copied to an absolute path although the temporary folder is relative", () => {
    const place = tempDir("relative");
    const copy = readableBinaries(hidden, NOBODY, relative(process.cwd(), place));
    expect(dirname(copy)).toBe(place);
  });

  test("are never used from a folder that others can change", () => {
    const place = tempDir("planted");
    const expected = readableBinaries(hidden, NOBODY, place);
    chmodSync(expected, 0o777);
    const other = readableBinaries(hidden, NOBODY, place);
    expect(other).not.toBe(expected);
    expect(statSync(other).mode & 0o777).toBe(0o755);
  });

  test("are copied again if files of the copy are missing", () => {
    const place = tempDir("cleaned");
    const copy = readableBinaries(hidden, NOBODY, place);
    rmSync(join(copy, "lib", "postgresql", "plpgsql.so"));
    expect(readableBinaries(hidden, NOBODY, place)).not.toBe(copy);
  });

  test("are used in place once the user can read them", () => {
    chmodSync(join(root, "closed"), 0o755);
    const place = tempDir("unused");
    expect(readableBinaries(hidden, NOBODY, place)).toBe(hidden.dir);
    expect(readdirSync(place)).toEqual([]);
    chmodSync(join(root, "closed"), 0o700);
  });
});
