import { afterAll, beforeAll, expect, test } from "bun:test";
import { credits } from "../../gateway/src/kit/index.ts";
import { verifyLedger } from "../../gateway/src/ledger/index.ts";
import { wholeNumber } from "../../scripts/command-options.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { reportFigures } from "../report-figures.ts";
import { type NodeProcess, startNode } from "./node-process.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const isLong = process.env["BURSAR_TEST_LONG"] === "1";
/** `npm run races` runs all ten thousand. */
const ROUNDS = wholeNumber(
  "BURSAR_TEST_ROUNDS",
  process.env["BURSAR_TEST_ROUNDS"] ?? (isLong ? "10000" : "200"),
);

let gateway: TestGateway;
let nodes: readonly NodeProcess[];
let settings: SettingsFile;
beforeAll(async () => {
  // Rate limits must not interfere: the race is for credits.
  settings = writeSettings({ plans: { enterprise: { requests_per_minute: 1_000_000 } } });
  gateway = await startTestGateway();
  const start = () => startNode(gateway.database.db.url, settings.environment);
  nodes = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.remove()));
  await gateway.close();
  settings.remove();
});

async function chat(origin: string, key: string): Promise<number> {
  const response = await fetch(`${origin}/functions/v1/api-v1-chat`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "hello" }] }),
  });
  await response.arrayBuffer();
  return response.status;
}

function grant(organization: TestOrganization, amount: number) {
  return gateway.services.ledger.grant({
    orgId: organization.id,
    pool: "anytime",
    amount: credits(amount),
    reference: null,
    expiresAt: null,
    kind: "manual",
    description: "race",
  });
}

test(
  `of k concurrent calls on c credits, over two processes and three keys, exactly min(k, c) succeed (${ROUNDS} rounds)`,
  async () => {
    const organization = await gateway.found({ credits: 0 });
    const keys = [organization.key, (await organization.mint()).key, (await organization.mint()).key];
    let left = 0;
    const counted = { calls: 0, succeeded: 0, refused: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const added = 1 + ((round * 7) % 13);
      const calls = 2 + ((round * 5) % 17);
      await grant(organization, added);
      const available = left + added;
      const statuses = await Promise.all(
        Array.from({ length: calls }, (_, i) =>
          chat(nodes[i % 2]?.origin ?? "", keys[i % keys.length] ?? ""),
        ),
      );
      const succeeded = statuses.filter((status) => status === 200).length;
      const refused = statuses.filter((status) => status === 402).length;
      expect({ round, succeeded, refused }).toEqual({
        round,
        succeeded: Math.min(calls, available),
        refused: calls - Math.min(calls, available),
      });
      left = available - succeeded;
      counted.calls += calls;
      counted.succeeded += succeeded;
      counted.refused += refused;
    }
    const account = await gateway.services.ledger.account(organization.id);
    expect([account.anytimeAvailable, account.anytimeHeld]).toEqual([credits(left), credits(0)]);
    expect((await verifyLedger(gateway.database.db)).faults).toEqual([]);
    reportFigures({ rounds: ROUNDS, nodes: nodes.length, ...counted, "false refusals": 0 });
  },
  isLong ? 1_800_000 : 60_000,
);
