import { test } from "bun:test";
import { type ChatEvent, ProviderFailure, type TextProvider } from "../../gateway/src/contract/index.ts";
import { chatRecordings } from "./chat-recordings.ts";
import {
  difference,
  expectedOf,
  isNamedTool,
  modelOf,
  providerFor,
  type Summary,
  show,
} from "./openai-wire-replaying.ts";
import type { Recording } from "./recording.ts";
import { replayAll } from "./replay-all.ts";
import { responseFault } from "./response-fault.ts";

test("recorded chat-completions answers are decoded correctly", async () => {
  await replayAll({ suite: "openai-wire", recordings: chatRecordings, replay });
}, 60_000);

/** Null if the adapter read what the recording says, else the difference. */
async function replay(recording: Recording, baseUrl: string): Promise<string | null> {
  const provider = providerFor(recording, baseUrl);
  const expected = expectedOf(recording);
  try {
    const events = await answerOf(provider, recording);
    if (typeof expected === "string") return `read as an answer, not as ${expected}`;
    return difference(expected, summaryOf(events)) ?? responseFault(events);
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
    // The tool choice as recorded, because the answer is read by it.
    ...(isNamedTool(recording.request) ? { toolChoice: { name: "replayed" } } : {}),
  };
  const context = { requestId: "replay", signal: new AbortController().signal };
  for await (const batch of provider.chat(modelOf(recording), request, context)) events.push(...batch);
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
