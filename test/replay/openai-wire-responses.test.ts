import { test } from "bun:test";
import {
  type ChatEvent,
  createProviders,
  ProviderFailure,
  type ProviderFailureKind,
  type WireEvent,
} from "../../src/providers/index.ts";
import { responseRecordings } from "./chat-recordings.ts";
import { type Fields, fields, list } from "./neutral-request.ts";
import { show } from "./openai-wire-replaying.ts";
import type { Recording } from "./recording.ts";
import { replayAll } from "./replay-all.ts";

const timeouts = { connectMs: 5_000, firstByteMs: 20_000, idleMs: 20_000 };

test("recorded responses go on in the words of their wire", async () => {
  await replayAll({ suite: "openai-wire responses", recordings: responseRecordings, replay });
}, 60_000);

async function replay(recording: Recording, baseUrl: string): Promise<string | null> {
  const expected = expectedOf(recording);
  try {
    const events = await answerOf(recording, baseUrl);
    return typeof expected === "string" ? `read as an answer, not as ${expected}` : faultOf(events, expected);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) return `crashed: ${error}`;
    return error.kind === expected ? null : `${error.kind} (${error.detail.internal}), not ${show(expected)}`;
  }
}

async function answerOf(recording: Recording, baseUrl: string): Promise<readonly ChatEvent[]> {
  const settings = { name: "replayed", kind: "openai", baseUrl: `${baseUrl}/v1`, apiKey: "replayed" };
  const [provider] = createProviders(new Map([["replayed", settings]]), { timeouts, sandbox: null });
  const events: ChatEvent[] = [];
  const request = {
    messages: [],
    maxOutputTokens: 100,
    inOnePiece: !isStream(recording),
    wire: { kind: "responses" as const, body: { input: "replayed" }, wantsWhole: true },
  };
  const context = { requestId: "replay", signal: new AbortController().signal };
  for await (const batch of provider?.text?.chat("m", request, context) ?? []) events.push(...batch);
  return events;
}

/** What the recording says, read the plain way: its events, and the response that they end in. */
type Reading = { readonly events: readonly Fields[]; readonly response: Fields };

function expectedOf(recording: Recording): Reading | ProviderFailureKind {
  const text = new TextDecoder().decode(recording.body);
  if (recording.status === 401 || /incorrect api key/i.test(text)) return "unauthorized";
  if (recording.status >= 400) return /context_length/.test(text) ? "context_overflow" : "rejected";
  const events = isStream(recording) ? eventsIn(text) : [];
  const last = events.findLast(({ type }) => /^response\.(completed|incomplete|failed)$/.test(String(type)));
  const response = isStream(recording) ? fields(last?.["response"]) : fields(JSON.parse(text));
  const failed = events.find(({ type }) => type === "error") ?? (response["error"] ? response : null);
  if (failed !== null) return failureKindOf(failed);
  if (!["completed", "incomplete"].includes(String(response["status"]))) return "unavailable";
  return { events, response };
}

function failureKindOf(failed: Fields): ProviderFailureKind {
  const code = String(fields(failed["error"])["code"] ?? failed["code"]);
  if (/rate_limit|quota/.test(code)) return "rate_limited";
  return /context_length/.test(code) ? "context_overflow" : /invalid/.test(code) ? "rejected" : "unavailable";
}

function isStream({ contentType }: Recording): boolean {
  return contentType.includes("event-stream");
}

function eventsIn(text: string): readonly Fields[] {
  const events = text
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data:") && !line.includes("[DONE]"))
    .map((line) => fields(JSON.parse(line.slice(5))));
  // Some files hold one response after the other.
  const last = events.findIndex(({ type }) => LAST.test(String(type)));
  return last < 0 ? events : events.slice(0, last + 1);
}

const LAST = /^response\.(completed|incomplete)$/;

function faultOf(events: readonly ChatEvent[], expected: Reading): string | null {
  const finish = events.at(-1);
  if (finish?.type !== "finish") return "finish is not last";
  const wire = events.slice(0, -1) as readonly WireEvent[];
  const told = wire.map(({ event, members }) => plain({ type: event, ...JSON.parse(`{${members}}`) }));
  const said = expected.events
    .filter(({ type }) => String(type).startsWith("response.") && !LAST.test(String(type)))
    .map(({ sequence_number: _number, ...rest }) => plain(rest));
  if (!Bun.deepEquals(told, said)) return `events ${show(told)}, not ${show(said)}`;
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

/** Numbers such as -0 are written in more than one way. */
function plain(event: Fields): Fields {
  return JSON.parse(JSON.stringify(event));
}

function reasonOf(response: Fields): string {
  if (response["status"] === "incomplete") return "length";
  const hasCalls = list(response["output"]).some(({ type }) =>
    /^(function|custom_tool)_call$/.test(String(type)),
  );
  return hasCalls ? "tool_calls" : "stop";
}
