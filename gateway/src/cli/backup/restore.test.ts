import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestBucket, type TestBucket } from "../../../../test/s3-server.ts";
import { startScriptedBucket } from "../../../../test/scripted-bucket.ts";
import { openObjectStore } from "../../assets/index.ts";
import { connectDatabase, type Database } from "../../db/index.ts";
import { createEmptyDatabase, createMigratedDatabase } from "../../db/testing.ts";
import { silentLog } from "../../telemetry/index.ts";
import { type CliHarness, type CliRun, createCliHarness } from "../testing.ts";

const KEY = `assets/ab/${"ab".repeat(16)}.png`;
const BYTES = Buffer.from("a picture of a fox");
const SECRET = "the-secret-of-the-old-data-folder-x";
const OTHER_SECRET = "another-secret-of-some-other-machine";

let home: string;
let cli: CliHarness;
let source: Database;
let target: Database;
let drops: (() => Promise<void>)[];

const place = (...names: string[]) => join(home, ...names);

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), `bursar-test-${process.pid}-`));
  cli = await createCliHarness();
  const [from, to] = await Promise.all([createMigratedDatabase(), createEmptyDatabase()]);
  drops = [cli.drop, from.drop, to.drop];
  source = from.db;
  target = to.db;
  mkdirSync(place("old", "objects", "assets", "ab"), { recursive: true });
  writeFileSync(place("old", "objects", KEY), BYTES);
  writeFileSync(place("old", "secret"), `${SECRET}\n`);
});

afterEach(async () => {
  await Promise.all(drops.map((drop) => drop()));
  rmSync(home, { recursive: true, force: true });
});

function runOn(
  database: Database,
  { dataDir, ...env }: { dataDir: string } & Record<string, string>,
  ...argv: string[]
): Promise<CliRun> {
  const host = {
    inspectConfig: () => cli.inspect({ BURSAR_DATA_DIR: place(dataDir), ...env }),
    openDatabase: async () => connectDatabase({ url: database.url, poolSize: 2, log: silentLog }),
  };
  return cli.runWith(host, ...argv);
}

async function backUp(env: Record<string, string> = {}): Promise<void> {
  const { code, err } = await runOn(source, { dataDir: "old", ...env }, "backup", place("backup"));
  expect({ code, err }).toEqual({ code: 0, err: "" });
}

const restore = (env: Record<string, string> = {}) =>
  runOn(target, { dataDir: "new", ...env }, "restore", place("backup"));

async function hasTables(): Promise<boolean> {
  const { rows } = await target.pool.query("select to_regclass('accounts') is not null as has");
  return rows[0].has;
}

describe("restore: the library's files", () => {
  let bucket: TestBucket;
  beforeEach(async () => {
    bucket = await startTestBucket();
    drops.push(bucket.close);
  });

  test("go into the bucket that is configured", async () => {
    await backUp();
    const { code, out } = await restore(bucket.environment);
    const objects = openObjectStore(bucket.settings);
    expect([code, await objects.sizeOf(KEY)]).toEqual([0, BYTES.length]);
    expect(Buffer.from(await objects.read(KEY, 0, BYTES.length))).toEqual(BYTES);
    expect(out).toContain(`1 file of the library, 0 MB, now in ${objects.description}.`);
  });

  test("that the bucket does not keep end the restore with an error that names file and bucket", async () => {
    await backUp();
    const liar = startScriptedBucket();
    drops.push(liar.close);
    liar.answer(({ method }) => (method === "PUT" ? new Response("<html>Please sign in</html>") : null));
    const { code, err } = await restore(liar.environment);
    expect(code).toBe(1);
    const place = new URL(liar.settings.endpoint).host;
    expect(err).toContain(
      `${KEY} cannot be stored in bucket library at ${place} (the bucket did not keep an object`,
    );
    expect(await hasTables()).toBe(false);
  });

  test("with names that no row can have stay out of the bucket, and do not make the restore fail", async () => {
    writeFileSync(place("old", "objects", "notes.txt"), "mine");
    await backUp();
    expect((await restore(bucket.environment)).code).toBe(0);
    expect(await openObjectStore(bucket.settings).sizeOf(KEY)).toBe(BYTES.length);
    expect(readdirSync(join(bucket.folder, bucket.settings.bucket))).toEqual(["assets"]);
  });

  test("go into the data folder if no bucket is configured", async () => {
    await backUp();
    const { code, out } = await restore();
    expect(code).toBe(0);
    expect(readFileSync(place("new", "objects", KEY))).toEqual(BYTES);
    expect(out).toContain(`1 file of the library, 0 MB, now in ${place("new", "objects")}.`);
  });

  test("and the secret are readable by their owner only, in the backup and after the restore", async () => {
    const modes = (folder: string) =>
      [join("objects", KEY), "secret"].map((name) => statSync(place(folder, name)).mode & 0o777);
    for (const name of [join("objects", KEY), "secret"]) chmodSync(place("old", name), 0o644);
    await backUp();
    expect(modes("backup")).toEqual([0o600, 0o600]);
    for (const name of [join("objects", KEY), "secret"]) chmodSync(place("backup", name), 0o777);
    expect((await restore()).code).toBe(0);
    expect(modes("new")).toEqual([0o600, 0o600]);
  });

  test("do not bring along the identity of their old folder", async () => {
    writeFileSync(place("old", "objects", ".bursar-place"), "f".repeat(32));
    await backUp();
    expect((await restore()).code).toBe(0);
    expect(existsSync(place("new", "objects", ".bursar-place"))).toBe(false);
  });

  test("do not include what symbolic links lead to", async () => {
    mkdirSync(place("elsewhere"));
    writeFileSync(place("elsewhere", "private.txt"), "mine");
    symlinkSync(place("elsewhere"), place("old", "objects", "assets", "cd"));
    symlinkSync(place("elsewhere", "private.txt"), place("old", "objects", "assets", "ab", "linked.png"));
    await backUp();
    expect(readdirSync(place("backup", "objects"), { recursive: true }).toSorted()).toEqual([
      "assets",
      "assets/ab",
      KEY,
    ]);
    symlinkSync(place("elsewhere"), place("backup", "objects", "assets", "cd"));
    expect((await restore()).code).toBe(0);
    expect(existsSync(place("new", "objects", "assets", "cd"))).toBe(false);
  });

  test("missing from the backup make the restore fail", async () => {
    await backUp();
    rmSync(place("backup", "objects", KEY));
    for (const env of [{}, bucket.environment]) {
      const said = "has 0 files, 0 bytes, of 1 file, 18 bytes: the backup is damaged";
      expect(await restore(env)).toMatchObject({ code: 1, err: expect.stringContaining(said) });
    }
    expect(await hasTables()).toBe(false);
  });

  test("changed in the backup make the restore fail, and the error names them", async () => {
    await backUp();
    const damaged = Buffer.from(BYTES).fill("?", 2, 5);
    writeFileSync(place("backup", "objects", KEY), damaged);
    for (const env of [{}, bucket.environment]) {
      const said = `${place("backup", "objects", KEY)} is missing or has changed: the backup is damaged`;
      expect(await restore(env)).toMatchObject({ code: 1, err: expect.stringContaining(said) });
    }
    expect([await hasTables(), existsSync(place("new", "objects", KEY))]).toEqual([false, false]);
    writeFileSync(place("backup", "objects", KEY), BYTES);
    expect((await restore()).code).toBe(0);
    expect(readFileSync(place("new", "objects", KEY))).toEqual(BYTES);
  });

  test("are listed in the format of sha256sum, and a changed list makes the restore fail", async () => {
    await backUp();
    const list = place("backup", "objects.sha256");
    const hash = new Bun.CryptoHasher("sha256").update(BYTES).digest("hex");
    expect(readFileSync(list, "utf8")).toBe(`${hash}  objects/${KEY}\n`);
    writeFileSync(list, "");
    const said = `${list} is missing or has changed: the backup is damaged`;
    expect(await restore()).toMatchObject({ code: 1, err: expect.stringContaining(said) });
  });

  test("whose list cannot be read give an error that names the user, not a report of damage", async () => {
    await backUp();
    const list = place("backup", "objects.sha256");
    rmSync(list);
    symlinkSync("objects.sha256", list);
    expect(await restore()).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^bursar: .*\/objects\.sha256 cannot be read \(ELOOP: .*\): the user \S+ must be able to read all of .*\/backup\.\n$/,
      ),
    });
    rmSync(list);
    expect((await restore()).err).toContain(`${list} is missing or has changed: the backup is damaged`);
  });

  test("are restored unchecked from a backup without a list", async () => {
    await backUp();
    const manifest = JSON.parse(readFileSync(place("backup", "manifest.json"), "utf8"));
    const unlisted = JSON.stringify({ ...manifest, objects_sha256: undefined });
    writeFileSync(place("backup", "manifest.json"), unlisted);
    rmSync(place("backup", "objects.sha256"));
    expect((await restore()).code).toBe(0);
  });

  test("in a bucket are not in the backup, and the restore says so if no bucket is configured", async () => {
    await backUp(bucket.environment);
    const { code, out } = await restore();
    expect(code).toBe(0);
    expect(out).toContain(
      `The library's files are in a bucket, not in the backup: set BURSAR_S3_* to it, or copy them to ${place("new", "objects")}.`,
    );
  });
});

describe("restore: the secret", () => {
  test("is restored from the backup if none is set", async () => {
    await backUp();
    expect((await restore()).code).toBe(0);
    expect(readFileSync(place("new", "secret"), "utf8").trim()).toBe(SECRET);
  });

  test("set by BURSAR_SECRET must be that of the backup, or nothing is restored", async () => {
    await backUp();
    const { code, err } = await restore({ BURSAR_SECRET: OTHER_SECRET });
    expect(code).toBe(1);
    expect(err).toContain(
      `BURSAR_SECRET is not the backup's secret, so sessions and page cursors would end: set it to what ${place("backup", "secret")} holds`,
    );
    expect(err).not.toContain(SECRET);
    expect(await hasTables()).toBe(false);
    expect((await restore({ BURSAR_SECRET: SECRET })).code).toBe(0);
    expect(existsSync(place("new", "secret"))).toBe(false);
  });

  test("of the data folder must be that of the backup, or nothing is restored", async () => {
    await backUp();
    mkdirSync(place("new"));
    writeFileSync(place("new", "secret"), `${OTHER_SECRET}\n`);
    const said = `${place("new", "secret")} is not the backup's secret`;
    expect(await restore()).toMatchObject({ code: 1, err: expect.stringContaining(said) });
    expect(await hasTables()).toBe(false);
  });

  test("that is not in the backup is requested if none is set", async () => {
    await backUp({ BURSAR_SECRET: SECRET });
    const { code, out } = await restore();
    expect(code).toBe(0);
    expect(out).toContain(
      "The backup contains no secret: set BURSAR_SECRET as it was, or sessions and page cursors end.",
    );
  });
});

describe("restore refuses a folder and says why", () => {
  const manifest = () => place("backup", "manifest.json");

  test("without a manifest", async () => {
    mkdirSync(place("backup"));
    const { code, err } = await restore();
    expect({ code, err }).toEqual({
      code: 1,
      err: `bursar: ${place("backup")} has no manifest.json: it is not a backup, or an unfinished one.\n`,
    });
  });

  test("with a manifest that cannot be read, naming the system's error and the user", async () => {
    mkdirSync(place("backup"));
    symlinkSync("manifest.json", manifest());
    const { code, err } = await restore();
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /^bursar: .*\/backup\/manifest\.json cannot be read \(ELOOP: .*\): the user \S+ must be able to read all of .*\/backup\.\n$/,
      ),
    ]);
  });

  test("with damaged tables, and leaves no file of it behind", async () => {
    await backUp();
    writeFileSync(place("backup", "tables", "accounts.copy.gz"), "?");
    expect((await restore()).err).toContain("accounts.copy.gz");
    const left = ["secret", join("objects", KEY)].filter((name) => existsSync(place("new", name)));
    expect(left).toEqual([]);
  });

  test("made by a newer Bursar", async () => {
    await backUp();
    writeFileSync(manifest(), readFileSync(manifest(), "utf8").replace('"format": 1', '"format": 2'));
    const { code, err } = await restore();
    expect({ code, err }).toEqual({
      code: 1,
      err: `bursar: ${place("backup")} was made by a newer Bursar (format 2, this one knows 1): restore it with that version.\n`,
    });
  });

  for (const [what, text, part] of [
    ["an empty object", "{}", "format"],
    ["invalid JSON", '{"format": 1', "its JSON"],
    ["a value of the wrong type", '{"format":1,"bursar":"1","created_at":7}', "created_at"],
  ] as const) {
    test(`with a damaged manifest: ${what}`, async () => {
      mkdirSync(place("backup"));
      writeFileSync(manifest(), text);
      const { code, err } = await restore();
      expect({ code, err }).toEqual({
        code: 1,
        err: `bursar: ${manifest()} is damaged, or not a backup's: ${part} is missing or wrong.\n`,
      });
    });
  }
});

test("backup leaves no folder behind without tables, and without a database", async () => {
  const empty = await runOn(target, { dataDir: "old" }, "backup", place("nothing"));
  expect([empty.code, empty.err]).toEqual([
    1,
    "bursar: The database has no Bursar tables: set DATABASE_URL or BURSAR_DATA_DIR to the gateway's value, or run `bin/bursar migrate` to create them.\n",
  ]);
  const none = await runOn(target, { dataDir: "new", DATABASE_URL: "" }, "backup", place("nothing"));
  expect(none.err).toContain("There is no database in");
  expect(existsSync(place("nothing"))).toBe(false);
});

test("backup on a full disk names the unfinished folder and says to remove it", async () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  const host = {
    inspectConfig: () => cli.inspect({ BURSAR_DATA_DIR: place("old") }),
    openDatabase: async () => ({
      ...connectDatabase({ url: source.url, poolSize: 2, log: silentLog }),
      connect: () => Promise.reject(full),
    }),
  };
  const { code, err } = await cli.runWith(host, "backup", place("backup"));
  expect({ code, err }).toEqual({
    code: 1,
    err: `bursar: There is no space left for the backup in ${place("backup")}: remove that unfinished folder, then free some space or choose another place.\n`,
  });
});
