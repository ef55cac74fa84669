import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CliHarness, createCliHarness } from "./testing.ts";

let cli: CliHarness;
let empty: string;

beforeAll(async () => {
  cli = await createCliHarness();
  empty = mkdtempSync(join(tmpdir(), "bursar-no-database-"));
});

afterAll(async () => {
  await cli.drop();
  rmSync(empty, { recursive: true, force: true });
});

const inEmptyFolder = (...argv: string[]) =>
  cli.runWith({ inspectConfig: () => cli.inspect({ DATABASE_URL: "", BURSAR_DATA_DIR: empty }) }, ...argv);

/** Exit code 2: without reading the ledger there is no verdict on it. */
const codeOf = ([noun]: readonly string[]) => (noun === "ledger" ? 2 : 1);

for (const argv of [
  ["member", "link", "--email", "ada@example.com"],
  ["member", "list", "--org", "acme"],
  ["org", "list"],
  ["key", "list", "--org", "acme"],
  ["credits", "grant", "--org", "acme", "--pool", "anytime", "--amount", "1"],
  ["ledger", "verify"],
  ["models", "--org", "acme"],
]) {
  test(`bursar ${argv.join(" ")} fails without a database and does not create one`, async () => {
    const { code, err } = await inEmptyFolder(...argv);
    expect([code, err]).toEqual([
      codeOf(argv),
      `bursar: There is no database in ${empty}: set BURSAR_DATA_DIR or DATABASE_URL to the gateway's value.\n`,
    ]);
  });
}

test("org create may create the database before the first start", async () => {
  expect((await inEmptyFolder("org", "create", "--name", "First Ltd")).code).toBe(0);
});
