import { afterAll, beforeAll, expect, test } from "bun:test";
import { DAY_MS } from "../kit/index.ts";
import { type CliHarness, createCliHarness } from "./testing.ts";

const JUMP_MS = 40 * DAY_MS;

let cli: CliHarness;
let orgId: string;

beforeAll(async () => {
  cli = await createCliHarness();
  orgId = String((await cli.json("org", "create", "--name", "Acme", "--plan", "pro"))["id"]);
});
afterAll(() => cli.drop());

test("credits that expired in a jump are put back once, and not while it lasts", async () => {
  const { db, jumpClock } = cli.database;
  expect((await cli.run("credits", "undo-expiry")).out).toContain("nothing was changed");
  await jumpClock(JUMP_MS);
  // As a version did that told no expected time.
  await db.pool.query("select ledger_account($1)", [orgId]);
  const doubted = await cli.run("credits", "undo-expiry", "--org", "acme");
  expect([doubted.code, doubted.err]).toEqual([1, expect.stringContaining("clock is doubted")]);
  await jumpClock(-JUMP_MS);
  expect((await cli.run("credits", "undo-expiry")).out).toBe(
    "Acme: 50,000 credits of entry 2 can be put back: say --yes.\n",
  );
  expect(Number((await cli.ledger.account(orgId)).subscriptionAvailable)).toBe(0);
  expect((await cli.run("credits", "undo-expiry", "--yes")).out).toBe(
    "Acme: 50,000 credits of entry 2 were put back, and their period is open again.\n",
  );
  expect(await cli.json("credits", "undo-expiry", "--org", "acme")).toEqual({
    is_undone: false,
    expiries: [],
  });
  expect(Number((await cli.ledger.account(orgId)).subscriptionAvailable)).toBe(50_000);
});

test("an accepted clock is said, with its difference from this machine's", async () => {
  const { jumpClock } = cli.database;
  await jumpClock(JUMP_MS);
  expect((await cli.run("clock", "accept")).out).toContain(", 3456000 s ahead of this machine's.\n");
  await jumpClock(-JUMP_MS);
  const accepted = await cli.json("clock", "accept");
  expect(Math.abs(Number(accepted["ahead_ms"]))).toBeLessThan(30_000);
});
