import assert from "node:assert/strict";
import { verifyLedger } from "../../../gateway/src/ledger/index.ts";
import type { FuzzGateway } from "./fuzz-gateway.ts";

/** Checks a gateway after a fuzz run: it answers, holds no credits except for jobs, and its ledger is consistent. */
export async function expectSound({ gateway }: Pick<FuzzGateway, "gateway">): Promise<void> {
  // A new organization: in the fuzzed one, a model or the key may have been disabled.
  const own = await gateway.found();
  const response = await fetch(`${gateway.origin}/functions/v1/api-v1-chat`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "sandbox-chat",
      messages: [{ role: "user", content: "[sandbox:echo] hi" }],
    }),
  });
  assert.equal(response.status, 200, await response.text());
  const { db } = gateway.database;
  const left = await db.pool.query("select 1 from holds where kind <> 'job'");
  assert.equal(left.rowCount, 0, "a hold was left");
  assert.deepEqual((await verifyLedger(db)).faults, []);
}
