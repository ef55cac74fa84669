import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { ANSWER_TEXT, goodStreamBytes, STOP } from "../upstream/chat-wire.ts";
import { type MisbehavingUpstream, startMisbehavingUpstream } from "../upstream/misbehaving-upstream.ts";
import { FORMS } from "./chat-client.ts";
import { expectEnding } from "./ending.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { settingsFor } from "./upstream-models.ts";

const CREDITS = 1_000;
const REPORTED = 20;
/** Longer than both answers, so that the last cuts cut nothing. */
const MOST_BYTES = goodStreamBytes().length + 10;
/** Every byte in the long run; otherwise a step that hits every part of the stream and divides none of them evenly. */
const STEP_BYTES = process.env["BURSAR_TEST_LONG"] ? 1 : 43;
/** After this byte, a stream is complete except for its end marker. */
const FINISHED_AT = goodStreamBytes().indexOf(STOP) + STOP.length;
const OFFSETS = Array.from({ length: Math.ceil(MOST_BYTES / STEP_BYTES) }, (_, at) => at * STEP_BYTES);
/** Used in turn, because a target that fails repeatedly would be skipped. */
const TARGETS = 1_000;
const TEST_LIMIT_MS = OFFSETS.length * 1_000;

let upstream: MisbehavingUpstream;
let link: FaultProxy;
let settings: SettingsFile;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startMisbehavingUpstream();
  link = await startFaultProxy({ host: "127.0.0.1", port: Number(new URL(upstream.baseUrl).port) });
  const models = Array.from({ length: TARGETS }, (_, at) => `cut-${at}`);
  settings = writeSettings(settingsFor(`http://127.0.0.1:${link.port}/v1`, models));
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await link.close();
  await upstream.close();
  settings.remove();
});

for (const [form, see] of FORMS) {
  async function seeCutAt(bytes: number): Promise<"done" | "error"> {
    const of = await gateway.found({ credits: CREDITS });
    link.set({ kind: "cut", direction: "to_client", afterBytes: bytes });
    const seen = await see({ origin: gateway.origin, of, model: `cut-${bytes % TARGETS}`, content: "hello" });
    const call = { orgId: of.id, requestId: seen.requestId, creditsBefore: CREDITS };
    if (seen.ended === "done") {
      expect([seen.text, seen.body["finish_reason"]]).toEqual([ANSWER_TEXT, "stop"]);
      await expectEnding(gateway.database.db, call, { status: "succeeded", charged: REPORTED });
    } else {
      expect(seen.status).toBe(form === "JSON" ? 502 : 200);
      const failed = { status: "failed", charged: 0, errorCode: "internal_error" } as const;
      await expectEnding(gateway.database.db, call, failed);
    }
    return seen.ended;
  }

  test(
    `${form}: an upstream cut at any byte either delivers the full answer and is charged, or costs nothing`,
    async () => {
      const ended = new Map<number, string>();
      for (const bytes of OFFSETS) ended.set(bytes, await seeCutAt(bytes));
      for (const [bytes, how] of ended) if (form !== "JSON" && bytes < FINISHED_AT) expect(how).toBe("error");
      expect(ended.get(0)).toBe("error");
      expect(await seeCutAt(MOST_BYTES)).toBe("done");
    },
    TEST_LIMIT_MS,
  );
}
