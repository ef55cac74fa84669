import { test } from "bun:test";
import type { ChatEvent } from "../../gateway/src/contract/index.ts";
import { done, events as part, written } from "../../gateway/src/http/openai/responses/testing.ts";
import { officialReading } from "../conformance/official-reading.ts";
import { responseRecordings } from "./chat-recordings.ts";
import { fields, list } from "./neutral-request.ts";
import { show } from "./openai-wire-replaying.ts";
import { replayAll } from "./replay-all.ts";
import { replayResponse } from "./response-replaying.ts";

test("the official client reads every recorded response from our stream and from its repeat", async () => {
  const wire = { kind: "responses" as const, body: { input: "replayed" } };
  await replayAll({
    suite: "official client, responses",
    recordings: responseRecordings,
    leastShare: 1,
    replay: (recording, baseUrl) =>
      replayResponse(recording, { baseUrl, model: "m", request: { wire } }, faultOf),
  });
}, 60_000);

async function faultOf(events: readonly ChatEvent[]): Promise<string | null> {
  const finish = events.at(-1);
  if (finish?.type !== "finish") return "finish is not last";
  const { reason, whole } = finish;
  const items = JSON.parse(JSON.stringify(list(fields(whole)["output"])));
  const end = done(reason, fields(whole));
  const known = events.filter((event) => event.type !== "wire" || !UNKNOWN.test(event.event ?? ""));
  const told = { stream: [...known.map((event) => part(event)), end], repeat: [end] };
  for (const [name, parts] of Object.entries(told)) {
    const read = await officialReading(written(parts)).catch(String);
    if (!Bun.deepEquals(read, items)) return `${name}: ${show(read)}, not ${show(items)}`;
  }
  return null;
}

/** Events that the official client throws on, although its own service sends them. */
const UNKNOWN = /^response\.apply_patch_call_operation_diff\./;
