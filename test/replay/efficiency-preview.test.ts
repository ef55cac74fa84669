import { afterAll, beforeAll, expect, test } from "bun:test";
import { previewBody } from "../../gateway/src/app/preview-body.ts";
import { isObject } from "../../gateway/src/kit/index.ts";
import { type ScriptedGateway, startScriptedGateway } from "../conformance/scripted-gateway.ts";
import type { TestOrganization } from "../harness.ts";
import { capturedRequests } from "./captured-requests.ts";
import { chatRecordings, responseRecordings } from "./chat-recordings.ts";
import type { Recording, Skipped } from "./recording.ts";
import { printReport } from "./report.ts";

type Json = Readonly<Record<string, unknown>>;
type Asked = { readonly name: string; readonly path: string; readonly body: Json };

const PATHS = { messages: "/v1/chat/completions", input: "/v1/responses" } as const;
/** Something for each step of compaction, and the same for all, so that the repetition becomes a reference. */
const LONG = [
  ...Array.from({ length: 12 }, (_, at) => `${String(at + 1).padStart(6)}→const value${at} = ${at * at};`),
  JSON.stringify([{ id: 1, name: "one" }], null, 2),
  ...Array.from({ length: 12 }, (_, at) => `2026-03-04T12:00:${10 + at}Z INFO processed ${at * 7}`),
].join("\n");

/** Reached by the wire of the request. */
const MODEL = "scripted-both";
/** Number of concurrent calls. */
const LANES = 8;
let calls = 0;

let scripted: ScriptedGateway;
let own: TestOrganization;
beforeAll(async () => {
  scripted = await startScriptedGateway();
  own = await scripted.gateway.found({ credits: 1_000_000_000 });
});
afterAll(() => scripted.close());

test("the gateway sends what the preview shows, for every recorded and captured conversation", async () => {
  const failures: string[] = [];
  const skipped: Skipped[] = [];
  let replayed = 0;
  let shortened = 0;
  const tried = asked().values();
  const lane = async () => {
    for (const { name, path, body: recorded } of tried) {
      const { temperature: _, ...body } = recorded;
      const sent = await upstreamOf(path, body, "structural");
      if (typeof sent === "string") {
        skipped.push({ name, reason: sent });
        continue;
      }
      const { field, after, tokensSaved } = preview(body);
      // What is left out for a server of the same wire (references, lost reasoning) is left out of the preview as well.
      const shown = await upstreamOf(path, { ...body, [field]: after }, "off");
      if (JSON.stringify(shown) !== JSON.stringify(sent)) failures.push(name);
      if (tokensSaved > 0) shortened += 1;
      replayed += 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  printReport({ suite: "efficiency preview", replayed, failures, skipped });
  expect(failures).toEqual([]);
  if (replayed > 0) expect(shortened).toBeGreaterThan(replayed / 10);
}, 60_000);

function preview(body: Json) {
  const json = new TextEncoder().encode(JSON.stringify({ ...body, model: MODEL }));
  const options = { level: "structural", isMain: false, references: true } as const;
  return previewBody(json, options, scripted.gateway.services);
}

/** Empty if the folders are not there, which they report themselves. */
function asked(): readonly Asked[] {
  const captured = capturedRequests().flatMap(({ name, path, body }) =>
    path === PATHS.messages || path === PATHS.input ? [{ name, path, body }] : [],
  );
  const recorded = [
    ...chatRecordings().recordings.flatMap((one) => askedIn(one, PATHS.messages)),
    ...responseRecordings().recordings.flatMap((one) => askedIn(one, PATHS.input)),
  ];
  // All captured requests, and every third of the recorded ones, which are much alike.
  const some = recorded.filter((_, at) => at % 3 === 0);
  return [...captured, ...some].map((one) => ({ ...one, body: lengthened(one.body) }));
}

function askedIn({ name, request }: Recording, path: string): readonly Asked[] {
  return isObject(request) ? [{ name, path, body: request }] : [];
}

/** Recorded results and answers are short, so each text is made long enough to be worth compacting. */
function lengthened(body: Json): Json {
  const field = body["input"] === undefined ? "messages" : "input";
  const items = body[field];
  if (!Array.isArray(items)) return body;
  return { ...body, [field]: items.map(lengthenedItem) };
}

function lengthenedItem(item: Json): Json {
  const field = item["output"] === undefined ? "content" : "output";
  if (field === "content" && item["role"] !== "assistant" && item["role"] !== "tool") return item;
  return { ...item, [field]: lengthenedContent(item[field]) };
}

function lengthenedContent(content: unknown): unknown {
  if (typeof content === "string") return `${content}\n${LONG}`;
  if (!Array.isArray(content)) return content;
  return content.map((part: Json) =>
    typeof part?.["text"] === "string" ? { ...part, text: `${part["text"]}\n${LONG}` } : part,
  );
}

/**
 * The conversation as the upstream received it, or why it received none. Calls run concurrently, so each is marked by
 * its `temperature`.
 */
async function upstreamOf(path: string, body: Json, level: string): Promise<readonly unknown[] | string> {
  const temperature = ++calls / 1_000_000;
  const response = await fetch(`${scripted.gateway.origin}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${own.key}`,
      "content-type": "application/json",
      "x-efficiency": level,
    },
    body: JSON.stringify({ ...body, model: MODEL, stream: false, temperature }),
  });
  const reply = await response.text();
  if (!response.ok) return `refused: ${JSON.parse(reply)?.error?.message ?? response.status}`;
  const got = scripted.upstream.received.filter((one) => one.body["temperature"] === temperature);
  expect(got).toHaveLength(1);
  return [got[0]?.body["messages"] ?? null, got[0]?.body["input"] ?? null];
}
