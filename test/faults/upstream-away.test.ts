import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { refusedBaseUrl } from "../upstream/misbehaving-upstream.ts";
import { startUnreachableUpstream } from "../upstream/unreachable-upstream.ts";
import { FORMS } from "./chat-client.ts";
import { expectEnding } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { settingsFor } from "./upstream-models.ts";

const CREDITS = 100_000;
const CONNECT_MS = 200;
const FAILED = { status: "failed", charged: 0, errorCode: "internal_error" } as const;

const unreachable = await startUnreachableUpstream();
if (unreachable === null) console.warn("Skipped: this machine's kernel answers for a full queue.");
afterAll(() => unreachable?.close());

async function startAt(baseUrl: string): Promise<{ gateway: TestGateway; settings: SettingsFile }> {
  const settings = writeSettings(settingsFor(baseUrl, ["m"], { timeouts: { connect_ms: CONNECT_MS } }));
  return { settings, gateway: await startTestGateway(settings.environment) };
}

describe("a host that refuses connections", () => {
  let gateway: TestGateway;
  let settings: SettingsFile;
  beforeAll(async () => {
    ({ gateway, settings } = await startAt(await refusedBaseUrl()));
  });
  afterAll(async () => {
    await gateway.close();
    settings.remove();
  });

  for (const [form, see] of FORMS) {
    test(`${form}: is a provider failure that costs nothing and does not reveal the host`, async () => {
      const of = await gateway.found({ credits: CREDITS });
      const seen = await see({ origin: gateway.origin, of, model: "m", content: "hello" });
      expect([seen.ended, seen.status]).toEqual(["error", form === "JSON" ? 502 : 200]);
      expect(JSON.stringify(seen.body)).not.toMatch(/127\.0\.0\.1|ECONNREFUSED/);
      await expectEnding(
        gateway.database.db,
        { orgId: of.id, requestId: seen.requestId, creditsBefore: CREDITS },
        FAILED,
      );
    });
  }
});

describe.skipIf(unreachable === null)("a host that does not answer connections", () => {
  let gateway: TestGateway;
  let settings: SettingsFile;
  beforeAll(async () => {
    ({ gateway, settings } = await startAt(unreachable?.baseUrl ?? ""));
  });
  afterAll(async () => {
    await gateway.close();
    settings.remove();
  });

  for (const [form, see] of FORMS) {
    test(`${form}: ends in an error after the connect timeout and costs nothing`, async () => {
      const of = await gateway.found({ credits: CREDITS });
      const startedMs = performance.now();
      const seen = await see({ origin: gateway.origin, of, model: "m", content: "hello" });
      expect(performance.now() - startedMs).toBeLessThan(CONNECT_MS * 25);
      expect([seen.ended, seen.status]).toEqual(["error", form === "JSON" ? 504 : 200]);
      expect(JSON.stringify(seen.body)).not.toContain("127.0.0.1");
      await expectEnding(
        gateway.database.db,
        { orgId: of.id, requestId: seen.requestId, creditsBefore: CREDITS },
        FAILED,
      );
    });
  }
});
