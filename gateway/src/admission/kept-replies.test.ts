import { expect, test } from "bun:test";
import type { Database } from "../db/index.ts";
import { createReadReply } from "./kept-replies.ts";

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Answers when the test says so, and records which organizations' replies were read. */
function slowDatabase() {
  const asked: { readonly orgId: string; answer(): void }[] = [];
  const query = ({ values }: { values: readonly string[] }) => {
    const { promise, resolve } = Promise.withResolvers<{ rows: { reply: string }[] }>();
    const answer = () => resolve({ rows: [{ reply: `reply of ${values[3]}` }] });
    asked.push({ orgId: values[0] ?? "", answer });
    return promise;
  };
  return { asked, db: { pool: { query } } as unknown as Database };
}

const question = (orgId: string, requestId: string) => ({ orgId, endpoint: "chat", key: "k", requestId });

test("concurrent repeats of one call share one read of its reply", async () => {
  const { asked, db } = slowDatabase();
  const readReply = createReadReply(db);
  const repeats = Array.from({ length: 5_000 }, () => readReply(question("a", "r-1")));
  await settled();
  expect(asked).toHaveLength(1);
  asked[0]?.answer();
  expect(new Set(await Promise.all(repeats))).toEqual(new Set(["reply of r-1"]));
  // A later call reads again.
  const later = readReply(question("a", "r-1"));
  await settled();
  asked[1]?.answer();
  expect(await later).toBe("reply of r-1");
});

test("one organization may use every place until another one waits, which gets the next place", async () => {
  const { asked, db } = slowDatabase();
  const readReply = createReadReply(db);
  const greedy = Array.from({ length: 1_000 }, (_, at) => readReply(question("greedy", `r-${at}`)));
  await settled();
  expect(asked).toHaveLength(4);
  const other = readReply(question("other", "o-1"));
  asked[0]?.answer();
  await settled();
  expect(asked.map(({ orgId }) => orgId)).toEqual(["greedy", "greedy", "greedy", "greedy", "other"]);
  for (let at = 1; at < 1_001; at++) {
    asked[at]?.answer();
    await settled();
  }
  expect(await other).toBe("reply of o-1");
  expect((await Promise.all(greedy)).at(-1)).toBe("reply of r-999");
});

test("a limited number of reads of one organization may wait; the rest get 503, but others may wait", async () => {
  const { db } = slowDatabase();
  const readReply = createReadReply(db);
  const refused: unknown[] = [];
  const ask = (orgId: string, count: number) => {
    for (let at = 0; at < count; at++) {
      readReply(question(orgId, `${orgId}-${at}`)).catch((error) => refused.push(error));
    }
  };
  ask("greedy", 2_000);
  ask("other", 400);
  await settled();
  expect(refused).toHaveLength(2_000 - 4 - 1_536);
  expect(refused[0]).toMatchObject({ status: 503, options: { retryAfterSeconds: 1 } });
});
