import { afterAll, beforeAll } from "bun:test";
import type { FailPoint } from "../../src/kit/index.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { FORMS } from "./chat-client.ts";
import { describeFailPoints, expectAgreement } from "./fail-point-table.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const CREDITS = 1_000;
/** Every point that a chat call passes, in order. */
const POINTS = [
  "before_hold",
  "after_hold_sql",
  "after_hold_commit",
  "before_upstream_send",
  "after_first_byte",
  "after_upstream_end",
  "before_settle_sql",
  "after_settle_sql",
  "after_settle_commit",
] as const satisfies readonly FailPoint[];

/** Those that a limit of the call itself stands around; the others wait for the database, which has its own. */
const BOUNDED = [
  "before_upstream_send",
  "after_first_byte",
  "after_upstream_end",
  "before_settle_sql",
  "after_settle_sql",
] as const satisfies readonly FailPoint[];

let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  settings = writeSettings({ timeouts: { call_ms: 600, settle_ms: 400 } });
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  settings.remove();
});

for (const [form, see] of FORMS) {
  describeFailPoints({
    form,
    points: POINTS,
    bounded: BOUNDED,
    async found() {
      own = await gateway.found({ credits: CREDITS });
    },
    call: () => see({ origin: gateway.origin, of: own, content: "hello" }),
    expectHonest: async (told) => void (await expectAgreement(gateway, { own, credits: CREDITS, told })),
  });
}
