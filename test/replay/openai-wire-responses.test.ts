import { test } from "bun:test";
import type { ChatEvent, WireEvent } from "../../gateway/src/contract/index.ts";
import { responseRecordings } from "./chat-recordings.ts";
import { type Fields, fields, list } from "./neutral-request.ts";
import { show } from "./openai-wire-replaying.ts";
import { replayAll } from "./replay-all.ts";
import { LAST, type ResponseReading, reasonOf, replayResponse } from "./response-replaying.ts";

test("recorded responses are passed through on their wire", async () => {
  const wire = { kind: "responses" as const, body: { input: "replayed" } };
  await replayAll({
    suite: "openai-wire responses",
    recordings: responseRecordings,
    replay: (recording, baseUrl) =>
      replayResponse(recording, { baseUrl, model: "m", request: { wire } }, faultOf),
  });
}, 60_000);

function faultOf(events: readonly ChatEvent[], expected: ResponseReading): string | null {
  const finish = events.at(-1);
  if (finish?.type !== "finish") return "finish is not last";
  const wire = events.slice(0, -1) as readonly WireEvent[];
  const told = wire.map(({ event, members }) => plain({ type: event, ...JSON.parse(`{${members}}`) }));
  const said = expected.events
    .filter(({ type }) => String(type).startsWith("response.") && !LAST.test(String(type)))
    .map(({ sequence_number: _number, ...rest }) => plain(rest));
  if (!isSaid(told, said)) return `events ${show(told)}, not ${show(said)}`;
  if (wire.some(({ members }) => /\n|^"(?:type|sequence_number)"/.test(members)))
    return "says what is ours to say";
  const usage = fields(expected.response["usage"]);
  const counts = [finish.usage?.inputTokens ?? undefined, finish.usage?.outputTokens ?? undefined];
  if (!Bun.deepEquals(counts, [usage["input_tokens"], usage["output_tokens"]]))
    return `usage ${show(counts)}`;
  const items = list(fields(finish.whole)["output"]);
  const done = said.filter(({ type }) => type === "response.output_item.done").length;
  if (expected.events.length > 0 && items.length < done) return `${items.length} items of ${done}`;
  return finish.reason === reasonOf(expected.response) ? null : `ended in ${finish.reason}`;
}

/** Fields that are filled in if a server omits them or sends null. */
const FILLED: ReadonlySet<string> = new Set([
  ...["status", "role", "content", "summary", "arguments", "annotations", "logprobs", "name"],
]);

/** True if `told` is what the server said, except for fields that are filled in. */
function isSaid(told: unknown, said: unknown): boolean {
  if (typeof told !== "object" || told === null) return told === said;
  if (typeof said !== "object" || said === null || Array.isArray(told) !== Array.isArray(said)) return false;
  const names = new Set([...Object.keys(told), ...Object.keys(said)]);
  return [...names].every((name) => {
    const given = (said as Fields)[name] ?? null;
    return given === null && FILLED.has(name) ? true : isSaid((told as Fields)[name] ?? null, given);
  });
}

/** Some numbers, such as -0, can be written in more than one way. */
function plain(event: Fields): Fields {
  return JSON.parse(JSON.stringify(event));
}
