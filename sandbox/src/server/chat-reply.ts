import type { ChatEvent } from "../../../gateway/src/contract/index.ts";

type Json = Record<string, unknown>;
type Finish = Extract<ChatEvent, { type: "finish" }>;
export type ReplyHead = { readonly id: string; readonly created: number; readonly model: string };

const SIGNED = "reasoning.text";

/** The change of one answer that an event is, as a chunk's `delta`. */
function deltaOf(event: ChatEvent): Json {
  switch (event.type) {
    case "text":
      return { content: event.text };
    case "refusal":
      return { refusal: event.text };
    case "reasoning":
      return { reasoning_content: event.text };
    case "reasoning_signature":
      return { reasoning_details: [{ type: SIGNED, index: 0, signature: event.signature }] };
    case "tool_start": {
      const called = { name: event.name, arguments: "" };
      return { tool_calls: [{ index: event.call, id: event.id, type: "function", function: called }] };
    }
    case "tool_arguments":
      return { tool_calls: [{ index: event.call, function: { arguments: event.text } }] };
    default:
      return {};
  }
}

/** The closing chunks of a stream: how each answer ended, and the usage if it was asked for. */
export function closingChunks(head: ReplyHead, finish: Finish, includesUsage: boolean): Json[] {
  const endings = reasonsOf(finish).map((reason, index) => ({ index, delta: {}, finish_reason: reason }));
  const ends = endings.map((choice) => chunk(head, [choice]));
  const usage = includesUsage ? usageOf(finish) : null;
  return usage === null ? ends : [...ends, { ...chunk(head, []), usage }];
}

export function contentChunk(head: ReplyHead, event: ChatEvent, isFirst: boolean): Json {
  const index = "index" in event ? (event.index ?? 0) : 0;
  const delta = { ...(isFirst ? { role: "assistant" } : {}), ...deltaOf(event) };
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
    prompt_tokens_details: { cached_tokens: cachedInputTokens, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoningTokens, audio_tokens: 0 },
  };
}

type Written = { content: string; refusal: string; reasoning: string; signature: string; calls: Json[] };

/** One reply of all answers, from the events that a stream would have had. */
export function wholeReply(head: ReplyHead, events: readonly ChatEvent[], finish: Finish): Json {
  const usage = usageOf(finish);
  const choices = reasonsOf(finish).map((reason, index) => {
    const own = events.filter((event) => (("index" in event ? event.index : 0) ?? 0) === index);
    return { index, message: messageOf(own), logprobs: null, finish_reason: reason };
  });
  return { ...head, object: "chat.completion", choices, ...(usage === null ? {} : { usage }) };
}

function messageOf(events: readonly ChatEvent[]): Json {
  const written: Written = { content: "", refusal: "", reasoning: "", signature: "", calls: [] };
  const texts: string[] = [];
  for (const event of events) {
    if (event.type === "text") written.content += event.text;
    else if (event.type === "refusal") written.refusal += event.text;
    else if (event.type === "reasoning") written.reasoning += event.text;
    else if (event.type === "reasoning_signature") written.signature = event.signature;
    else if (event.type === "tool_arguments") texts[event.call] = (texts[event.call] ?? "") + event.text;
    else if (event.type === "tool_start") {
      const { id, name } = event;
      written.calls.push({ id, type: "function", function: { name, arguments: "" } });
    }
  }
  const { content, refusal, reasoning, signature } = written;
  const calls = written.calls.map((call, at) => ({
    ...call,
    function: { ...(call["function"] as Json), arguments: texts[at] ?? "" },
  }));
  const hasContent = content !== "" || (calls.length === 0 && refusal === "");
  return {
    role: "assistant",
    content: hasContent ? content : null,
    refusal: refusal === "" ? null : refusal,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(signature === "" ? {} : { reasoning_details: [{ type: SIGNED, text: reasoning, signature }] }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}
