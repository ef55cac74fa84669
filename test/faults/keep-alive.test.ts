import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { armFailpoint } from "../../gateway/src/kit/index.ts";
import { askStream, eventsIn } from "./chat-client.ts";
import { expectEnding } from "./ending.ts";
import { type FaultyGateway, startFaultyGateway } from "./faulty-database.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const CREDITS = 100;
const KEEP_ALIVE_MS = 100;
const SILENCE_MS = 450;

let settings: SettingsFile;
let faulty: FaultyGateway;
let disarm = () => {};
beforeAll(async () => {
  settings = writeSettings({ timeouts: { keep_alive_ms: KEEP_ALIVE_MS, settle_ms: 10_000 } });
  faulty = await startFaultyGateway(settings.environment);
});
afterEach(() => disarm());
afterAll(async () => {
  await faulty.close();
  settings.remove();
});

/** The parts of a stream in order, including comments; repeats of one kind count once. */
function partsOf(text: string): string[] {
  return text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => (block.startsWith(":") ? block : (block.split("\n")[0] ?? "").slice("event: ".length)))
    .filter((part, at, all) => part !== all[at - 1]);
}

test.each(["black_hole", "reset"] as const)(
  "a stream whose settlement waits behind a %s gets keep-alives, then ends and is charged once",
  async (kind) => {
    const of = await faulty.gateway.found({ credits: CREDITS });
    let isCut = false;
    disarm = armFailpoint("before_settle_sql", () => {
      if (isCut) return;
      isCut = true;
      faulty.link.set({ kind });
      setTimeout(() => faulty.link.set({ kind: "pass" }), SILENCE_MS);
    });
    const response = await askStream({ origin: faulty.gateway.origin, of, content: "hello" });
    const text = await response.text();
    expect(partsOf(text)).toEqual(["connection_established", "content", ": keep-alive", "done"]);
    expect(text.split(": keep-alive").length - 1).toBeGreaterThanOrEqual(2);
    expect(eventsIn(text).at(-1)?.data["credits_charged"]).toBe(1);
    const requestId = response.headers.get("x-request-id") ?? "";
    await expectEnding(
      faulty.database.db,
      { orgId: of.id, requestId, creditsBefore: CREDITS },
      { status: "succeeded", charged: 1 },
    );
  },
);

test("a stream gets keep-alives before the first byte, and none while text arrives", async () => {
  const of = await faulty.gateway.found({ credits: CREDITS });
  const content = `[sandbox:first-byte=${SILENCE_MS}ms] hello`;
  const response = await askStream({ origin: faulty.gateway.origin, of, content });
  expect(partsOf(await response.text())).toEqual([
    "connection_established",
    ": keep-alive",
    "content",
    "done",
  ]);
});
