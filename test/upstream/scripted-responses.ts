import { USAGE } from "./chat-wire.ts";
import { type ScriptedAnswer, type ScriptedTurn, scriptedAnswer } from "./scripted-answer.ts";

type Json = Readonly<Record<string, unknown>>;
type Emit = (type: string, fields: Json) => void;

/** Answers a body of responses: the frames of a stream, or one JSON reply. */
export function answerResponse(body: Json): readonly string[] {
  const format = (body["text"] as { format?: { type?: string } } | undefined)?.format;
  const answer = scriptedAnswer(turnsOf(body["input"]), format?.type === "json_schema");
  const { frames, whole } = eventsOf(answer);
  return body["stream"] === true ? frames : [JSON.stringify(whole)];
}

function turnsOf(input: unknown): readonly ScriptedTurn[] {
  if (typeof input === "string") return [{ role: "user", text: input, hasImage: false }];
  return (input as readonly Json[]).map((item) => {
    if (item["type"] === "function_call_output") {
      const { output } = item;
      const text = typeof output === "string" ? output : textOf(output as readonly Json[]);
      return { role: "tool", text, hasImage: false };
    }
    const content = item["content"];
    const parts = (typeof content === "string" ? [{ text: content }] : (content ?? [])) as readonly Json[];
    return {
      role: item["role"] === "user" ? "user" : "other",
      text: textOf(parts),
      hasImage: parts.some((part) => part["type"] === "input_image"),
    };
  });
}

function textOf(parts: readonly Json[]): string {
  return parts.map((part) => part["text"] ?? "").join("\n");
}

function eventsOf({ calls, text }: ScriptedAnswer): { frames: readonly string[]; whole: Json } {
  const frames: string[] = [];
  const emit: Emit = (type, fields) => {
    const data = JSON.stringify({ type, sequence_number: frames.length, ...fields });
    frames.push(`event: ${type}\ndata: ${data}\n\n`);
  };
  const begun = responseOf("in_progress", []);
  emit("response.created", { response: begun });
  emit("response.in_progress", { response: begun });
  const messages = text.length > 0 ? [emitMessage(emit, text)] : [];
  const output = [...messages, ...calls.map((call, at) => emitCall(emit, call, messages.length + at))];
  const whole = responseOf("completed", output);
  emit("response.completed", { response: whole });
  return { frames, whole };
}

function responseOf(status: string, output: readonly Json[]): Json {
  const usage = {
    input_tokens: USAGE.prompt_tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: USAGE.completion_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: USAGE.total_tokens,
  };
  return {
    id: "resp_upstream1",
    object: "response",
    created_at: 1_750_000_000,
    status,
    model: "upstream-model",
    error: null,
    incomplete_details: null,
    output,
    usage: status === "completed" ? usage : null,
  };
}

function emitCall(emit: Emit, call: ScriptedAnswer["calls"][number], output_index: number): Json {
  const item = { id: `fc_${call.id}`, type: "function_call", call_id: call.id, name: call.name };
  const place = { item_id: item.id, output_index };
  emit("response.output_item.added", {
    output_index,
    item: { ...item, arguments: "", status: "in_progress" },
  });
  for (const delta of call.input.match(/.{1,9}/gs) ?? [])
    emit("response.function_call_arguments.delta", { ...place, delta });
  emit("response.function_call_arguments.done", { ...place, name: call.name, arguments: call.input });
  const done = { ...item, arguments: call.input, status: "completed" };
  emit("response.output_item.done", { output_index, item: done });
  return done;
}

function emitMessage(emit: Emit, pieces: readonly string[]): Json {
  const item = { id: "msg_upstream1", type: "message", role: "assistant" };
  const place = { item_id: item.id, output_index: 0, content_index: 0 };
  const part = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [] });
  const text = pieces.join("");
  emit("response.output_item.added", {
    output_index: 0,
    item: { ...item, content: [], status: "in_progress" },
  });
  emit("response.content_part.added", { ...place, part: part("") });
  for (const delta of pieces) emit("response.output_text.delta", { ...place, delta, logprobs: [] });
  emit("response.output_text.done", { ...place, text, logprobs: [] });
  emit("response.content_part.done", { ...place, part: part(text) });
  const done = { ...item, content: [part(text)], status: "completed" };
  emit("response.output_item.done", { output_index: 0, item: done });
  return done;
}
