import { expect, test } from "bun:test";
import { numberFields } from "./sql-row.ts";
import { createTestDatabase } from "./testing.ts";

test("numberFields splits a row into its fields, with null as an empty text", async () => {
  const database = await createTestDatabase();
  const [answer] = await database.db
    .lane("test")
    .query<{ answer: string }>("select row(1::bigint, null::integer, -3::bigint) as answer", []);
  await database.drop();
  expect(numberFields(answer?.answer ?? "")).toEqual(["1", "", "-3"]);
});
