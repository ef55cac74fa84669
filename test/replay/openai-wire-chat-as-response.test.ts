import { test } from "bun:test";
import type { ChatEvent } from "../../gateway/src/contract/index.ts";
import { signedTexts } from "../../gateway/src/wires/index.ts";
import { responseRecordings } from "./chat-recordings.ts";
import { type Fields, fields, list } from "./neutral-request.ts";
import { show } from "./openai-wire-replaying.ts";
import { replayAll } from "./replay-all.ts";
import { responseFault } from "./response-fault.ts";
import { type ResponseReading, reasonOf, replayResponse } from "./response-replaying.ts";

test("recorded responses are decoded as answers to chat completions that were sent as responses", async () => {
  const wire = { kind: "chat_completions" as const, body: {} };
  const asked = { model: "gpt-5.6", request: { wire, tools: [{ name: "any" }] } };
  await replayAll({
    suite: "openai-wire chat as response",
    recordings: responseRecordings,
    replay: (recording, baseUrl) => replayResponse(recording, { baseUrl, ...asked }, faultOf),
  });
}, 60_000);

function faultOf(
  events: readonly ChatEvent[],
  { events: recorded, response }: ResponseReading,
): string | null {
  const finish = events.at(-1);
  if (finish?.type !== "finish" || finish.whole !== undefined) return "no neutral finish at the end";
  if (events.some(({ type }) => type === "wire")) return "says something in the words of the wire";
  const done = recorded
    .filter(({ type }) => type === "response.output_item.done")
    .map(({ item }) => fields(item));
  // Taken from the items' own events, because reasoning is encrypted again in the last event, and some recordings lack
  // most deltas.
  const deltas = recorded.filter(({ type }) => /^response\.(output_text|refusal)\.delta$/.test(String(type)));
  const items = saidIn(done.length > 0 ? done : list(response["output"]));
  const text = apart(deltas.map(({ output_index: item, delta }) => [item, String(delta)]));
  const said = deltas.length > 0 ? { ...items, text } : items;
  const told = toldBy(events);
  if (!Bun.deepEquals(told, said)) return `${show(told)}, not ${show(said)}`;
  const usage = fields(response["usage"]);
  const counts = [finish.usage?.inputTokens, finish.usage?.outputTokens];
  if (!Bun.deepEquals(counts, [usage["input_tokens"], usage["output_tokens"]]))
    return `usage ${show(counts)}`;
  const reason =
    said.calls.length > 0 && response["status"] === "completed" ? "tool_calls" : reasonOf(response);
  return finish.reason === reason ? responseFault(events) : `ended in ${finish.reason}, not ${reason}`;
}

type Said = {
  readonly text: string;
  readonly calls: readonly (readonly unknown[])[];
  readonly encrypted: readonly unknown[];
};

function saidIn(items: readonly Fields[]): Said {
  const messages = items.filter(({ type }) => type === "message");
  const parts = messages.flatMap(({ content }, at) =>
    list(content).map(({ text, refusal }): [unknown, string] => [at, String(text ?? refusal ?? "")]),
  );
  const calls = items.filter(({ type }) => /^(function|custom_tool)_call$/.test(String(type)));
  return {
    text: apart(parts),
    calls: calls.map(({ call_id: id, name, arguments: text, input }) => {
      return [id, name, input === undefined ? text || "{}" : JSON.stringify({ input })];
    }),
    encrypted: items
      .filter(({ type, encrypted_content: text }) => type === "reasoning" && text)
      .map(({ encrypted_content: text }) => text),
  };
}

/** Texts of different messages are separated by a blank line. */
function apart(words: readonly (readonly [unknown, string])[]): string {
  const said = words.filter(([, text]) => text !== "");
  return said
    .map(([item, text], at) => (at > 0 && said[at - 1]?.[0] !== item ? `\n\n${text}` : text))
    .join("");
}

function toldBy(events: readonly ChatEvent[]): Said {
  const calls: [string, string, string][] = [];
  const encrypted: string[] = [];
  let text = "";
  for (const event of events) {
    if (event.type === "text" || event.type === "refusal") text += event.text;
    else if (event.type === "tool_start") calls[event.call] = [event.id, event.name, ""];
    else if (event.type === "tool_arguments") {
      const call = calls[event.call];
      if (call !== undefined) call[2] += event.text;
    } else if (event.type === "reasoning_signature") encrypted.push(...signedTexts(event.signature));
  }
  return { text, calls, encrypted };
}
