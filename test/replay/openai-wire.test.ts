import { expect, test } from "bun:test";
import {
  type ChatEvent,
  createProviders,
  ProviderFailure,
  type ProviderFailureKind,
  type TextProvider,
} from "../../src/providers/index.ts";
import { chatRecordings } from "./chat-recordings.ts";
import { hasFixtures } from "./fixtures-folder.ts";
import type { Recording } from "./recording.ts";
import { startReplayServer } from "./replay-server.ts";
import { printReport } from "./report.ts";
import { readRecording } from "./wire-reading.ts";

const LEAST_SHARE = 0.95;
const timeouts = { connectMs: 5_000, firstByteMs: 20_000, idleMs: 20_000 };

/** Folders whose name is not the vendor's. */
const KINDS: Readonly<Record<string, string>> = {
  alibaba: "alibaba",
  azure: "azure",
  cerebras: "cerebras",
  deepseek: "deepseek",
  groq: "groq",
  huggingface: "huggingface",
  mistral: "mistral",
  moonshotai: "moonshot",
  ollama: "ollama",
  openai: "openai",
  openrouter: "openrouter",
  perplexity: "perplexity",
  togetherai: "together",
  xai: "xai",
  zai: "zai",
};

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

function providerFor(recording: Recording, baseUrl: string): TextProvider {
  const isAzure = recording.url.includes(".azure.com");
  const kind = isAzure ? "azure" : (KINDS[recording.provider] ?? "openai-wire");
  const settings = { name: recording.provider, kind, baseUrl: `${baseUrl}/v1`, apiKey: "replayed" };
  const [provider] = createProviders(new Map([[settings.name, settings]]), { timeouts, sandbox: null });
  if (provider?.text === undefined) throw new Error("a wire provider serves text");
  return provider.text;
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

function isNamedTool(request: unknown): boolean {
  if (typeof request !== "object" || request === null || !("tool_choice" in request)) return false;
  return typeof request.tool_choice === "object" && request.tool_choice !== null;
}

type Summary = Readonly<Record<string, unknown>>;

function expectedOf(recording: Recording): Summary | ProviderFailureKind {
  if (recording.status >= 400) return failureOf(recording);
  if (!/json|event-stream/.test(recording.contentType)) return "unavailable";
  const { failed, finish, ...rest } = readRecording(recording);
  if (failed)
    return new TextDecoder().decode(recording.body).includes('"error"') ? "rejected" : "unavailable";
  return { ...rest, finish: isNamedTool(recording.request) && finish === "tool_calls" ? "any" : finish };
}

const OVERFLOW = /context length|too_many_prompt_tokens/;

function failureOf({ status, body }: Recording): ProviderFailureKind {
  if (status === 429) return "rate_limited";
  if (status === 401 || status === 404) return "unauthorized";
  return OVERFLOW.test(new TextDecoder().decode(body)) ? "context_overflow" : "rejected";
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

function difference(expected: Summary, actual: Summary): string | null {
  const wrong = Object.keys(expected).filter(
    (field) => expected[field] !== "any" && !Bun.deepEquals(expected[field], actual[field]),
  );
  if (wrong.length === 0) return null;
  return wrong.map((field) => `${field} ${show(actual[field])}, not ${show(expected[field])}`).join("; ");
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 160);
}
