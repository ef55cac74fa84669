import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { FailPoint } from "../../gateway/src/kit/index.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { askJson, askStream, type ChatAsk } from "./chat-client.ts";
import { creditsOf, expectEnding, expectQuiet } from "./ending.ts";
import { startNode } from "./node-process.ts";
import { startSweepingNode } from "./sweeping-node.ts";

const CREDITS = 100;
const TEST_LIMIT_MS = 60_000;

/** What is left of a call whose process died at this point: nothing, a hold, or the whole settlement. */
const LEFT: readonly (readonly [FailPoint, "nothing" | "hold" | "settled"])[] = [
  ["before_hold", "nothing"],
  ["after_hold_sql", "hold"],
  ["after_hold_commit", "hold"],
  ["before_upstream_send", "hold"],
  ["after_upstream_send", "hold"],
  ["after_first_byte", "hold"],
  ["mid_stream", "hold"],
  ["before_usage", "hold"],
  ["after_upstream_end", "hold"],
  ["before_settle_sql", "hold"],
  ["after_settle_sql", "settled"],
  ["after_settle_commit", "settled"],
  ["after_reply", "settled"],
];
/** Every push covers each point once; `npm run faults` covers all of them for streams too. */
const isLong = process.env["BURSAR_TEST_LONG"] === "1";
/** Covered for streams on every push. `after_reply` never is: the reply of a stream begins before its call does. */
const OF_STREAMS: readonly FailPoint[] = [
  ...(["after_hold_commit", "after_first_byte", "before_settle_sql", "after_settle_commit"] as const),
];
const ASKS = [
  ["JSON", askJson],
  ["a stream", askStream],
] as const;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

type DeadCall = { readonly of: TestOrganization; readonly ask: ChatAsk };

/** A call on a node that kills itself at the point. Resolves when the node is dead. */
async function dieAt(point: FailPoint, ask: (typeof ASKS)[number][1]): Promise<DeadCall> {
  const of = await gateway.found({ credits: CREDITS, isRenewed: false });
  const node = await startNode(gateway.database.db.url, { BURSAR_FAILPOINTS: `${point}=kill` });
  try {
    // The pieces of the answer come one by one.
    const call = { origin: node.origin, of, content: "[sandbox:delay=60ms] hello", idempotencyKey: "retry" };
    const reading = ask(call).then((response) => response.text());
    const [seen] = await Promise.allSettled([reading, node.exited]);
    expect(seen.status === "rejected" || !seen.value.includes("event: done")).toBe(true);
    return { of, ask: { ...call, origin: gateway.origin } };
  } finally {
    await node.remove();
  }
}

async function requestIdOf(orgId: string, table: "holds" | "requests"): Promise<string> {
  const found = await gateway.database.db.pool.query<{ request_id: string }>(
    `select request_id from ${table} where org_id = $1`,
    [orgId],
  );
  expect(found.rowCount).toBe(1);
  return found.rows[0]?.request_id ?? "";
}

describe("a process that dies", () => {
  for (const [form, ask] of ASKS) {
    const isTried = (point: FailPoint) =>
      form === "JSON" || (isLong ? point !== "after_reply" : OF_STREAMS.includes(point));
    for (const [point, left] of LEFT.filter(([one]) => isTried(one))) {
      test(
        `${form}, at ${point}: the sweeper ends its hold after the lease, and a retry is charged once or replayed`,
        async () => {
          const { db } = gateway.database;
          const { of, ask: retry } = await dieAt(point, ask);
          const dead = { orgId: of.id, creditsBefore: CREDITS };
          if (left === "nothing") {
            await expectQuiet(db, of.id, CREDITS);
          } else if (left === "settled") {
            const requestId = await requestIdOf(of.id, "requests");
            await expectEnding(db, { ...dead, requestId }, { status: "succeeded", charged: 1 });
          } else {
            const requestId = await requestIdOf(of.id, "holds");
            expect((await creditsOf(db, of.id)).held).toBe(1);
            expect((await askJson(retry)).status).toBe(409);
            const sweeper = await startSweepingNode(gateway.database);
            await sweeper.sweepUntilReleased(of.id, gateway.services.lease);
            await sweeper.close();
            await expectEnding(
              db,
              { ...dead, requestId },
              {
                status: "failed",
                charged: 0,
                errorCode: "internal_error",
                endedBy: "sweeper",
              },
            );
          }
          await expectRetry({ of, ask: retry }, left === "settled", form);
        },
        TEST_LIMIT_MS,
      );
    }
  }
});

/** A charged call is replayed; an uncharged one is made again and charged once. */
async function expectRetry({ of, ask }: DeadCall, isReplay: boolean, form: string): Promise<void> {
  const response = form === "JSON" ? await askJson(ask) : await askStream(ask);
  const text = await response.text();
  expect([response.status, response.headers.get("idempotent-replayed")]).toEqual([
    200,
    isReplay ? "true" : null,
  ]);
  expect(text).toContain('"credits_charged":1');
  await expectQuiet(gateway.database.db, of.id, CREDITS - 1);
}
