import { chunked, headText, LAST_CHUNK } from "./raw-http.ts";

/** What a well-behaved chat-completions server sends; the misbehaving one starts from it. */
const WORDS = ["Hello", " from", " the", " upstream", " – ", "naïve", " 日本", " 🙂", "."];
export const ANSWER_TEXT = WORDS.join("");
export const USAGE = { prompt_tokens: 11, completion_tokens: 9, total_tokens: 20 };

const COMMON = { id: "chatcmpl-upstream1", created: 1_750_000_000, model: "upstream-model" };

type Json = Readonly<Record<string, unknown>>;

export function frame(data: string | Json): string {
  return `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

export function deltaFrame(delta: Json, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }];
  return frame({ ...COMMON, object: "chat.completion.chunk", choices });
}

export function usageFrame(usage: unknown): string {
  return frame({ ...COMMON, object: "chat.completion.chunk", choices: [], usage });
}

/** The end of an answer and its usage in one event, as some servers send them. */
export function stopFrame(usage: unknown): string {
  return frame({
    ...{ ...COMMON, object: "chat.completion.chunk", usage },
    choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
  });
}

export const DONE = frame("[DONE]");
export const ROLE = deltaFrame({ role: "assistant", content: "" });
export const STOP = deltaFrame({}, "stop");

export function wordFrames(words: readonly string[] = WORDS): string[] {
  return words.map((word) => deltaFrame({ content: word }));
}

export function usageOf(completionTokens: number): Json {
  const { prompt_tokens } = USAGE;
  return {
    prompt_tokens,
    completion_tokens: completionTokens,
    total_tokens: prompt_tokens + completionTokens,
  };
}

/** A complete good stream, frame by frame. */
export function goodFrames(words: readonly string[] = WORDS): string[] {
  return [ROLE, ...wordFrames(words), STOP, usageFrame(usageOf(words.length)), DONE];
}

export function completion(): string {
  return completionWith({ usage: USAGE });
}

/** A complete good reply, with additional top-level fields. */
export function completionWith(more: Json): string {
  const message = { role: "assistant", content: ANSWER_TEXT, refusal: null };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: "stop" }];
  return JSON.stringify({ ...COMMON, object: "chat.completion", choices, ...more });
}

export const STREAM_HEAD = headText(200, {
  "content-type": "text/event-stream; charset=utf-8",
  "transfer-encoding": "chunked",
  "x-request-id": "req_upstream123456",
});

/** Every byte of a good streamed answer, including the head and chunk sizes. */
export function goodStreamBytes(): Buffer {
  const pieces = goodFrames().map((text) => chunked(text));
  return Buffer.concat([Buffer.from(STREAM_HEAD), ...pieces, Buffer.from(LAST_CHUNK)]);
}

export function errorBody(message: string, more: Json = {}): string {
  return JSON.stringify({
    error: { message, type: "invalid_request_error", param: null, code: null, ...more },
  });
}
