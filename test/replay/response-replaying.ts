import {
  type ChatEvent,
  type ChatRequest,
  ProviderFailure,
  type ProviderFailureKind,
} from "../../gateway/src/contract/index.ts";
import { createProviders } from "../../gateway/src/providers/index.ts";
import { type Fields, fields, list } from "./neutral-request.ts";
import { show } from "./openai-wire-replaying.ts";
import type { Recording } from "./recording.ts";

const timeouts = { connectMs: 5_000, firstByteMs: 20_000, idleMs: 20_000 };

/** Requests a recorded response; null if the result is what `faultOf` expects, or the failure that was recorded. */
export async function replayResponse(
  recording: Recording,
  asked: { readonly baseUrl: string; readonly model: string; readonly request: Partial<ChatRequest> },
  faultOf: (
    events: readonly ChatEvent[],
    expected: ResponseReading,
  ) => string | null | Promise<string | null>,
): Promise<string | null> {
  const expected = expectedOf(recording);
  try {
    const events = await answerOf(recording, asked);
    return typeof expected === "string"
      ? `read as an answer, not as ${expected}`
      : await faultOf(events, expected);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) return `crashed: ${error}`;
    return error.kind === expected ? null : `${error.kind} (${error.detail.internal}), not ${show(expected)}`;
  }
}

async function answerOf(
  recording: Recording,
  { baseUrl, model, request }: Parameters<typeof replayResponse>[1],
): Promise<readonly ChatEvent[]> {
  const settings = { name: "replayed", kind: "openai", baseUrl: `${baseUrl}/v1`, apiKey: "replayed" };
  const [provider] = createProviders(new Map([["replayed", settings]]), { timeouts });
  const events: ChatEvent[] = [];
  const whole = { messages: [], maxOutputTokens: 100, inOnePiece: !isStream(recording), ...request };
  const context = { requestId: "replay", signal: new AbortController().signal };
  for await (const batch of provider?.text?.chat(model, whole, context) ?? []) events.push(...batch);
  return events;
}

/** What the recording says, read without the adapter: its events, and the response that they end in. */
export type ResponseReading = { readonly events: readonly Fields[]; readonly response: Fields };

function expectedOf(recording: Recording): ResponseReading | ProviderFailureKind {
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
  // Some files contain several responses in a row; only the first counts.
  const last = events.findIndex(({ type }) => LAST.test(String(type)));
  return last < 0 ? events : events.slice(0, last + 1);
}

export const LAST = /^response\.(completed|incomplete)$/;

/** Its finish reason, in neutral terms. */
export function reasonOf(response: Fields): string {
  if (response["status"] === "incomplete") return "length";
  const hasCalls = list(response["output"]).some(({ type }) =>
    /^(function|custom_tool)_call$/.test(String(type)),
  );
  return hasCalls ? "tool_calls" : "stop";
}
