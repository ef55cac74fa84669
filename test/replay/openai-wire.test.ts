import { expect, test } from "bun:test";
import { type ChatEvent, ProviderFailure, type TextProvider } from "../../src/providers/index.ts";
import { chatRecordings } from "./chat-recordings.ts";
import { hasFixtures } from "./fixtures-folder.ts";
import {
  difference,
  expectedOf,
  isNamedTool,
  LEAST_SHARE,
  providerFor,
  type Summary,
  show,
} from "./openai-wire-replaying.ts";
import type { Recording } from "./recording.ts";
import { startReplayServer } from "./replay-server.ts";
import { printReport } from "./report.ts";

test("recorded answers of the chat-completions wire read as what they say", async () => {
  if (!hasFixtures) {
    console.log("replay openai-wire: no recordings here, nothing replayed");
    return;
  }
  const { recordings, skipped } = chatRecordings();
  const server = startReplayServer(recordings);
  try {
    const failures: string[] = [];
    for (const [at, recording] of recordings.entries()) {
      const fault = await replay(recording, `http://127.0.0.1:${server.port}/${at}`);
      if (fault !== null) failures.push(`${recording.name}: ${fault}`);
    }
    printReport({ suite: "openai-wire", replayed: recordings.length, failures, skipped });
    expect(recordings.length - failures.length).toBeGreaterThanOrEqual(recordings.length * LEAST_SHARE);
  } finally {
    await server.stop();
  }
}, 60_000);

/** Null where the adapter read what the recording says, else the difference. */
async function replay(recording: Recording, baseUrl: string): Promise<string | null> {
  const provider = providerFor(recording, baseUrl);
  const expected = expectedOf(recording);
  try {
    const actual = summaryOf(await answerOf(provider, recording));
    if (typeof expected === "string") return `read as an answer, not as ${expected}`;
    return difference(expected, actual);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) return `crashed: ${error}`;
    return error.kind === expected ? null : `${error.kind} (${error.detail.internal}), not ${show(expected)}`;
  }
}

async function answerOf(provider: TextProvider, recording: Recording): Promise<readonly ChatEvent[]> {
  const events: ChatEvent[] = [];
  const request = {
    messages: [{ role: "user" as const, content: "replayed" }],
    maxOutputTokens: 100,
    // As it was asked then, since the answer is read by it.
    ...(isNamedTool(recording.request) ? { toolChoice: { name: "replayed" } } : {}),
  };
  const context = { requestId: "replay", signal: new AbortController().signal };
  for await (const batch of provider.chat("replayed", request, context)) events.push(...batch);
  return events;
}

function summaryOf(events: readonly ChatEvent[]): Summary {
  const text = (type: "text" | "reasoning") =>
    events.map((event) => (event.type === type && !event.index ? event.text : "")).join("");
  const calls: { name: string; arguments: string }[] = [];
  for (const event of events) {
    if (event.type === "tool_start") calls[event.call] = { name: event.name, arguments: "" };
    const call = event.type === "tool_arguments" ? calls[event.call] : undefined;
    if (event.type === "tool_arguments" && call !== undefined) call.arguments += event.text;
  }
  const finish = events.at(-1);
  if (finish?.type !== "finish") throw new Error("finish is last");
  return {
    text: text("text"),
    reasoning: text("reasoning"),
    calls,
    inputTokens: finish.usage?.inputTokens ?? null,
    outputTokens: finish.usage?.outputTokens ?? null,
    cachedTokens: finish.usage?.cachedInputTokens ?? 0,
    finish: finish.reason,
  };
}
