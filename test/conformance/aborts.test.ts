import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectEnding } from "../faults/ending.ts";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { SLOWLY } from "../upstream/scripted-answer.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../upstream/scripted-upstream.ts";
import { CLIENTS, type Client } from "./clients/index.ts";
import { scriptedSettings } from "./scripted-settings.ts";

const CREDITS = 100_000;
/** Fewer than the whole answer by far. */
const MOST_TOKENS = 100;

let upstream: ScriptedUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = startScriptedUpstream();
  settings = writeSettings(scriptedSettings(upstream.baseUrl));
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

/** Reads some text and goes, the way this client's users do it. */
async function leave(client: Client, own: TestOrganization, model: string): Promise<string> {
  const controller = new AbortController();
  const ask = { model, prompt: `Tell it ${SLOWLY}`, signal: controller.signal };
  let seen = "";
  await client
    .stream({ origin: gateway.origin, key: own.key }, ask, (text) => {
      seen += text;
      controller.abort();
    })
    .catch(() => {});
  await gateway.services.running.idle();
  return seen;
}

async function lastRequestId({ id }: TestOrganization): Promise<string> {
  const view = await gateway.services.usage.usageView({ id, plan: "enterprise" }, { days: 2, limit: 2 });
  expect(view.requests).toHaveLength(1);
  return view.requests[0]?.request_id ?? "";
}

for (const client of CLIENTS) {
  describe(`${client.name} that aborts its stream`, () => {
    for (const model of ["scripted", "scripted-both"]) {
      test(`pays for what ${model} delivered, once, and nothing stays held`, async () => {
        const own = await gateway.found({ credits: CREDITS });
        expect(await leave(client, own, model)).toStartWith("more ");
        const call = { orgId: own.id, requestId: await lastRequestId(own), creditsBefore: CREDITS };
        const row = await expectEnding(gateway.database.db, call, { status: "cancelled" });
        expect(row.charged).toBe(row.input_tokens + row.output_tokens);
        expect(row.output_tokens).toBeWithin(1, MOST_TOKENS);
      });
    }
  });
}
