import type { SandboxEvent } from "../engine.ts";

type Json = Record<string, unknown>;
type Finish = Extract<SandboxEvent, { type: "finish" }>;
export type ReplyHead = { readonly id: string; readonly created: number; readonly model: string };

const DETAIL = { type: "reasoning.text", index: 0 };

/** The fields that an answer's texts are written in. */
const TEXT_FIELDS = { text: "content", refusal: "refusal", reasoning: "reasoning_content" } as const;

/** The change of one answer that an event is, as a chunk's `delta`. */
function deltaOf(event: SandboxEvent): Json {
  switch (event.type) {
    case "text":
    case "refusal":
      return { [TEXT_FIELDS[event.type]]: event.text };
    case "reasoning":
      return {
        [TEXT_FIELDS.reasoning]: event.text,
        ...("isSigned" in event ? { reasoning_details: [{ ...DETAIL, text: event.text }] } : {}),
      };
    case "reasoning_signature":
      return { reasoning_details: [{ ...DETAIL, signature: event.signature }] };
    case "tool_start":
      return { tool_calls: [{ index: event.call, ...startedCall(event) }] };
    case "tool_arguments":
      return { tool_calls: [{ index: event.call, function: { arguments: event.text } }] };
    default:
      return {};
  }
}

function startedCall({ id, name }: Extract<SandboxEvent, { type: "tool_start" }>) {
  return { id, type: "function", function: { name, arguments: "" } };
}

/** The closing chunks of a stream: how each answer ended, and the usage if it was asked for. */
export function closingChunks(head: ReplyHead, finish: Finish, includesUsage: boolean): Json[] {
  const endings = reasonsOf(finish).map((reason, index) => ({ index, delta: {}, finish_reason: reason }));
  const ends = endings.map((choice) => chunk(head, [choice]));
  const usage = includesUsage ? usageOf(finish) : null;
  return usage === null ? ends : [...ends, { ...chunk(head, []), usage }];
}

export function contentChunk(head: ReplyHead, event: SandboxEvent, isFirst: boolean): Json {
  const index = "index" in event ? (event.index ?? 0) : 0;
  const change = deltaOf(event);
  const delta = isFirst ? { role: "assistant", ...change, refusal: change["refusal"] ?? null } : change;
  return chunk(head, [{ index, delta, finish_reason: null }]);
}

function chunk(head: ReplyHead, choices: readonly Json[]): Json {
  return { ...head, object: "chat.completion.chunk", choices };
}

function reasonsOf({ reason, reasons }: Finish): readonly string[] {
  return reasons ?? [reason];
}

function usageOf({ usage }: Finish): Json | null {
  if (usage === null) return null;
  const { inputTokens, outputTokens, cachedInputTokens = 0, reasoningTokens = 0 } = usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}

/** One reply of all answers, from the events that a stream would have had. */
export function wholeReply(head: ReplyHead, events: readonly SandboxEvent[], finish: Finish): Json {
  const usage = usageOf(finish);
  const choices = reasonsOf(finish).map((reason, index) => {
    const own = events.filter((event) => (("index" in event ? event.index : 0) ?? 0) === index);
    return { index, message: messageOf(own), logprobs: null, finish_reason: reason };
  });
  return { ...head, object: "chat.completion", choices, ...(usage === null ? {} : { usage }) };
}

function messageOf(events: readonly SandboxEvent[]): Json {
  const texts: Record<string, string> = {};
  const calls: ReturnType<typeof startedCall>[] = [];
  let signature: string | null = null;
  for (const event of events) {
    if (event.type === "text" || event.type === "refusal" || event.type === "reasoning") {
      const field = TEXT_FIELDS[event.type];
      texts[field] = (texts[field] ?? "") + event.text;
    } else if (event.type === "reasoning_signature") signature = event.signature;
    else if (event.type === "tool_start") calls.push(startedCall(event));
    else if (event.type === "tool_arguments") {
      const call = calls[event.call];
      if (call !== undefined) call.function.arguments += event.text;
    }
  }
  const text = texts["reasoning_content"] ?? "";
  return {
    role: "assistant",
    content: calls.length > 0 || texts["refusal"] !== undefined ? null : "",
    refusal: null,
    ...texts,
    ...(signature === null ? {} : { reasoning_details: [{ ...DETAIL, text, signature }] }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}
