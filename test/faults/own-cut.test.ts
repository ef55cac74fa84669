import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { FORMS } from "./chat-client.ts";
import { expectEnding } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const CREDITS = 1_000;

let settings: SettingsFile;
let gateway: TestGateway;
beforeAll(async () => {
  settings = writeSettings({ timeouts: { call_ms: 250 } });
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  settings.remove();
});

for (const [form, see] of FORMS) {
  describe(`${form} that reaches its deadline`, () => {
    test("after some text is done, finish_reason length, charged for what was delivered", async () => {
      const own = await gateway.found({ credits: CREDITS });
      const content = "[sandbox:delay=30s] [sandbox:tokens=4000] Tell me a long story.";
      const seen = await see({ origin: gateway.origin, of: own, content });
      expect([seen.status, seen.ended, seen.body["finish_reason"]]).toEqual([200, "done", "length"]);
      expect(seen.text.length).toBeGreaterThan(0);
      expect(seen.body["credits_charged"]).toBe(1);
      const call = { orgId: own.id, requestId: seen.requestId, creditsBefore: CREDITS };
      const row = await expectEnding(gateway.database.db, call, { status: "succeeded", charged: 1 });
      expect(row.output_tokens).toBeGreaterThan(0);
      expect(row.output_tokens).toBeLessThan(1_000);
    });

    test("before the first byte is an error and costs nothing", async () => {
      const own = await gateway.found({ credits: CREDITS });
      const seen = await see({ origin: gateway.origin, of: own, content: "[sandbox:first-byte=30s] hello" });
      expect([seen.status, seen.ended]).toEqual([form === "JSON" ? 504 : 200, "error"]);
      const call = { orgId: own.id, requestId: seen.requestId, creditsBefore: CREDITS };
      await expectEnding(gateway.database.db, call, {
        status: "failed",
        charged: 0,
        errorCode: "internal_error",
      });
    });
  });
}
