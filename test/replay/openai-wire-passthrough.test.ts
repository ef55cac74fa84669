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
import { type Assembled, assembleChunks, assembleReply, brokenRule } from "./openai-wire-shape.ts";
import type { Recording } from "./recording.ts";
import { replayAll } from "./replay-all.ts";

/** Both ways in which a caller of the same wire may ask; the recording answers as it did then. */
const WAYS = [
  { name: "stream", inOnePiece: false },
  { name: "one piece", inOnePiece: true },
] as const;

test.each(WAYS)(
  "recorded answers are passed through on their wire, repaired: $name",
  async (way) => {
    await replayAll({
      suite: `openai-wire pass-through (${way.name})`,
      recordings: chatRecordings,
      replay: (recording, baseUrl) => replay(recording, baseUrl, way.inOnePiece),
    });
  },
  60_000,
);

async function replay(recording: Recording, baseUrl: string, inOnePiece: boolean): Promise<string | null> {
  const expected = expectedOf(recording);
  try {
    const events = await answerOf(providerFor(recording, baseUrl), recording, inOnePiece);
    if (typeof expected === "string") return `read as an answer, not as ${expected}`;
    return faultOf(events, expected);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) return `crashed: ${error}`;
    return error.kind === expected ? null : `${error.kind} (${error.detail.internal}), not ${show(expected)}`;
  }
}

async function answerOf(
  provider: TextProvider,
  recording: Recording,
  inOnePiece: boolean,
): Promise<readonly ChatEvent[]> {
  const events: ChatEvent[] = [];
  const messages = [{ role: "user" as const, content: "replayed" }];
  const request = {
    messages,
    maxOutputTokens: 100,
    inOnePiece,
    wire: { kind: "chat_completions" as const, body: { messages } },
    ...(isNamedTool(recording.request) ? { toolChoice: { name: "replayed" } } : {}),
  };
  const context = { requestId: "replay", signal: new AbortController().signal };
  for await (const batch of provider.chat(modelOf(recording), request, context)) events.push(...batch);
  return events;
}

function faultOf(events: readonly ChatEvent[], expected: Summary): string | null {
  const finish = events.at(-1);
  if (finish?.type !== "finish") return "finish is not last";
  // Input counts before the end are for billing, not for the client.
  const pieces = events.slice(0, -1).filter((event) => event.type !== "input");
  const wire = pieces.filter((event) => event.type === "wire");
  if (wire.length !== pieces.length) return "not all events are of the wire";
  let assembled: Assembled = { text: "", reasoning: "", calls: [] };
  const rule = brokenRule(() => {
    assembled = wire.length > 0 ? assembleChunks(wire) : assembleReply(finish.whole);
  });
  if (rule !== null) return `not so: ${rule}`;
  return difference(expected, {
    ...assembled,
    inputTokens: finish.usage?.inputTokens ?? null,
    outputTokens: finish.usage?.outputTokens ?? null,
    cachedTokens: finish.usage?.cachedInputTokens ?? 0,
    finish: finish.reason,
  });
}
