import { afterAll, beforeAll, expect, test } from "bun:test";
import { MAX_ANSWER_CHARACTERS } from "../../gateway/src/generation/answer/chat-answer.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { type MisbehavingUpstream, startMisbehavingUpstream } from "../upstream/misbehaving-upstream.ts";
import { FORMS } from "./chat-client.ts";
import { expectEnding } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { settingsFor } from "./upstream-models.ts";

const CREDITS = 100_000_000;
const CHUNK_CHARACTERS = 1 << 16;
const TEST_LIMIT_MS = 30_000;

let upstream: MisbehavingUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startMisbehavingUpstream();
  // A token limit so high that the size limit is reached first.
  const limits = { context_tokens: 20_000_000, max_output_tokens: 10_000_000 };
  settings = writeSettings(settingsFor(upstream.baseUrl, ["flood"], { limits }));
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

for (const [form, see] of FORMS) {
  test(
    `${form}: a huge answer is cut at our size limit with finish_reason length, and charged as delivered`,
    async () => {
      const of = await gateway.found({ credits: CREDITS });
      const before = upstream.received.length;
      const seen = await see({ origin: gateway.origin, of, model: "flood", content: "hello" });
      await upstream.closed(before);
      expect([seen.ended, seen.body["finish_reason"]]).toEqual(["done", "length"]);
      expect(seen.text.length).toBeGreaterThan(MAX_ANSWER_CHARACTERS);
      expect(seen.text.length).toBeLessThan(MAX_ANSWER_CHARACTERS + 64 * CHUNK_CHARACTERS);
      const call = { orgId: of.id, requestId: seen.requestId, creditsBefore: CREDITS };
      const row = await expectEnding(gateway.database.db, call, { status: "succeeded" });
      expect([seen.body["credits_charged"], row.written_off]).toEqual([row.charged, 0]);
      // "flood " is two tokens by our count.
      expect(row.charged).toBe(row.input_tokens + row.output_tokens);
      expect(row.output_tokens / (seen.text.length / "flood ".length)).toBeWithin(0.9, 2.1);
    },
    TEST_LIMIT_MS,
  );
}
