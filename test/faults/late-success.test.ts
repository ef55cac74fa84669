import { afterAll, beforeAll, expect, test } from "bun:test";
import { armFailpoint } from "../../gateway/src/kit/index.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { FORMS, seeJson } from "./chat-client.ts";
import { creditsOf, expectEnding, expectQuiet, requestRow } from "./ending.ts";
import { startNode } from "./node-process.ts";
import { type SweepingNode, startSweepingNode } from "./sweeping-node.ts";

const CREDITS = 100;
const TEST_LIMIT_MS = 30_000;
const SWEPT = { status: "failed", charged: 0, errorCode: "internal_error", endedBy: "sweeper" } as const;

let gateway: TestGateway;
let sweeper: SweepingNode;
beforeAll(async () => {
  gateway = await startTestGateway();
  sweeper = await startSweepingNode(gateway.database);
});
afterAll(async () => {
  await sweeper.close();
  await gateway.close();
});

async function heldRequest(orgId: string): Promise<string> {
  const { db } = gateway.database;
  while ((await creditsOf(db, orgId)).held === 0) await Bun.sleep(5);
  const found = await db.pool.query<{ request_id: string }>(
    "select request_id from holds where org_id = $1",
    [orgId],
  );
  return found.rows[0]?.request_id ?? "";
}

for (const [form, see] of FORMS) {
  test(`${form}: a success after the hold was released is recorded, costs nothing, and is an error`, async () => {
    const { db } = gateway.database;
    const of = await gateway.found({ credits: CREDITS });
    const late = Promise.withResolvers<void>();
    const disarm = armFailpoint("after_upstream_end", () => late.promise);
    const call = { origin: gateway.origin, of, content: "hello", idempotencyKey: "late" };
    const answer = see(call);
    const requestId = await heldRequest(of.id);
    await sweeper.sweepAfterALease();
    disarm();
    late.resolve();
    const seen = await answer;
    expect([seen.ended, seen.status]).toEqual(["error", form === "JSON" ? 503 : 200]);
    expect(seen.body).toMatchObject({ error: { message: expect.stringContaining("Nothing was charged") } });
    await expectEnding(db, { orgId: of.id, requestId, creditsBefore: CREDITS }, SWEPT);
    expect((await requestRow(db, requestId))?.late_cost).toBe(1);
    await gateway.services.lease.renew();
    const retry = await see(call);
    expect([retry.ended, retry.requestId !== requestId]).toEqual(["done", true]);
    await expectQuiet(db, of.id, CREDITS - 1);
  });
}

test(
  "a process that was stopped for longer than its lease does not settle calls that the sweeper ended",
  async () => {
    const { db } = gateway.database;
    const of = await gateway.found({ credits: CREDITS });
    const node = await startNode(db.url);
    try {
      const answer = seeJson({ origin: node.origin, of, content: "[sandbox:first-byte=150ms] hello" });
      const requestId = await heldRequest(of.id);
      node.signal("SIGSTOP");
      await sweeper.sweepAfterALease(gateway.services.lease);
      const ended = { orgId: of.id, requestId, creditsBefore: CREDITS };
      await expectEnding(db, ended, SWEPT);
      node.signal("SIGCONT");
      const seen = await answer;
      expect([seen.status, seen.ended]).toEqual([503, "error"]);
      await expectEnding(db, ended, SWEPT);
      expect((await requestRow(db, requestId))?.late_cost).not.toBeNull();
    } finally {
      await node.remove();
    }
  },
  TEST_LIMIT_MS,
);
