import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectEnding } from "../faults/ending.ts";
import type { TestOrganization } from "../harness.ts";
import { SLOWLY } from "../upstream/scripted-answer.ts";
import { CLIENTS, type Client } from "./clients/index.ts";
import { type ScriptedGateway, startScriptedGateway } from "./scripted-gateway.ts";

const CREDITS = 100_000;
/** Far fewer than the whole answer. */
const MOST_TOKENS = 100;

let scripted: ScriptedGateway;
beforeAll(async () => {
  scripted = await startScriptedGateway();
});
afterAll(() => scripted.close());

/** Reads some text and disconnects, the way this client's users do. */
async function leave(client: Client, own: TestOrganization, model: string): Promise<string> {
  const controller = new AbortController();
  const ask = { model, prompt: `Tell it ${SLOWLY}`, signal: controller.signal };
  let seen = "";
  await client
    .stream({ origin: scripted.gateway.origin, key: own.key }, ask, (text) => {
      seen += text;
      controller.abort();
    })
    .catch(() => {});
  await scripted.gateway.services.running.idle();
  return seen;
}

async function lastRequestId({ id }: TestOrganization): Promise<string> {
  const view = await scripted.gateway.services.usage.usageView(
    { id, plan: "enterprise" },
    { days: 2, limit: 2 },
  );
  expect(view.requests).toHaveLength(1);
  return view.requests[0]?.request_id ?? "";
}

for (const client of CLIENTS) {
  describe(`${client.name} that aborts its stream`, () => {
    for (const model of ["scripted", "scripted-both"]) {
      test(`pays once for what ${model} delivered, and nothing stays held`, async () => {
        const own = await scripted.gateway.found({ credits: CREDITS });
        expect(await leave(client, own, model)).toStartWith("more ");
        const call = { orgId: own.id, requestId: await lastRequestId(own), creditsBefore: CREDITS };
        const row = await expectEnding(scripted.gateway.database.db, call, { status: "cancelled" });
        expect(row.charged).toBe(row.input_tokens + row.output_tokens);
        expect(row.output_tokens).toBeWithin(1, MOST_TOKENS);
      });
    }
  });
}
