import { afterAll, expect, test } from "bun:test";
import type { Billing } from "../../billing/index.ts";
import { createTestDatabase } from "../../db/testing.ts";
import { silentLog } from "../../telemetry/index.ts";
import { prepareFirstCall } from "./before-first-call.ts";

const database = await createTestDatabase();
afterAll(() => database.drop());

/** The warnings of a start whose plans are renewed in this way. */
async function toldWhere(renewDue: Billing["renewDue"]): Promise<string[]> {
  const told: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void told.push(event) };
  await prepareFirstCall({ db: database.db, billing: { renewDue }, log, renewalsMs: 10 });
  return told;
}

test("a start waits only briefly for due plans, and logs that they come later", async () => {
  expect(await toldWhere(() => new Promise(() => {}))).toEqual(["plans_not_renewed_yet"]);
});

test("a start logs nothing if plans were renewed, and plans_not_renewed if that failed", async () => {
  expect(await toldWhere(async () => ({ renewed: 1, failed: 0 }))).toEqual([]);
  expect(await toldWhere(() => Promise.reject(new Error("away")))).toEqual(["plans_not_renewed"]);
});
