import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestDatabase, type TestDatabase } from "../../../db/testing.ts";
import { newId } from "../../../kit/index.ts";
import { type AccountsPool, createAccountsPool } from "./accounts-pool.ts";

let database: TestDatabase;
let accounts: AccountsPool;

beforeAll(async () => {
  database = await createTestDatabase();
  accounts = createAccountsPool(database.db);
});
afterAll(() => database.drop());

/** The way the library does it: on whatever connection the pool gives. */
async function insertByPool(email: string): Promise<void> {
  const connection = await accounts.pool.connect();
  await connection.query(`insert into "user" (name, email) values ('Ana', $1)`, [email]);
  connection.release();
}

async function exists(email: string): Promise<boolean> {
  return (await database.db.pool.query(`select from "user" where email = $1`, [email])).rowCount === 1;
}

describe("a write of the accounts library within our transaction", () => {
  test("is visible only to the transaction until the commit", async () => {
    const email = newId();
    const seen = await accounts.together(async (client) => {
      await insertByPool(email);
      const inside = await client.query(`select from "user" where email = $1`, [email]);
      return [inside.rowCount, await exists(email)];
    });
    expect(seen).toEqual([1, false]);
    expect(await exists(email)).toBe(true);
  });

  test("is rolled back with it, even if the library swallowed an error", async () => {
    const [thrown, swallowed] = [newId(), newId()];
    const failing = accounts.together(async () => {
      await insertByPool(thrown);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    const quiet = accounts.together(async () => {
      await insertByPool(swallowed);
      await insertByPool(swallowed).catch(() => {});
    });
    await expect(quiet).rejects.toThrow("duplicate key");
    expect([await exists(thrown), await exists(swallowed)]).toEqual([false, false]);
  });

  test("is independent of it if it comes later or from another task", async () => {
    const [late, other] = [newId(), newId()];
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
    const meanwhile = isOpen.then(() => insertByPool(other));
    let later = Promise.resolve();
    const failing = accounts.together(async () => {
      later = isOver.then(() => insertByPool(late));
      open();
      await meanwhile;
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    end();
    await later;
    expect([await exists(late), await exists(other)]).toEqual([true, true]);
  });
});
