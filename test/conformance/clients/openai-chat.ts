import OpenAI from "openai";
import { z } from "zod";
import { type Access, type Answer, type Ask, type Client, MAX_TURNS, runTool } from "./client.ts";
import { openaiRefusal } from "./openai-refusal.ts";

type Message = OpenAI.ChatCompletionMessageParam;
type Turn = {
  readonly content: string | null;
  readonly calls: readonly OpenAI.ChatCompletionMessageFunctionToolCall[];
  readonly usage: OpenAI.CompletionUsage | null;
};

/** Only `create`: the body as documented, the stream read chunk by chunk. */
export const openaiChat: Client = {
  name: "openai chat",
  wire: "chat",
  readsShouldRetry: true,
  ask: (access, ask) => converse(ask, (messages) => takeTurn(access, ask, messages)),
  stream: (access, ask, onText) =>
    converse(ask, (messages) => streamTurn({ access, ask, messages, onText: onText ?? (() => {}) })),
  refusalOf: openaiRefusal,
};

export function openaiClient({ origin, key, maxRetries }: Access): OpenAI {
  return new OpenAI({
    baseURL: `${origin}/v1`,
    apiKey: key,
    ...(maxRetries === undefined ? {} : { maxRetries }),
  });
}

export function chatMessages({ prompt, imageUrl }: Ask): Message[] {
  if (imageUrl === undefined) return [{ role: "user", content: prompt }];
  const image = { type: "image_url", image_url: { url: imageUrl } } as const;
  return [{ role: "user", content: [{ type: "text", text: prompt }, image] }];
}

function bodyOf({ model, tools, schema }: Ask, messages: Message[]) {
  return {
    model,
    messages,
    ...(tools && {
      tools: tools.map(({ name, parameters }) => ({
        type: "function" as const,
        function: { name, description: `Runs ${name}.`, parameters: z.toJSONSchema(parameters) },
      })),
    }),
    ...(schema && {
      response_format: {
        type: "json_schema" as const,
        json_schema: { name: "answer", strict: true, schema: z.toJSONSchema(schema) },
      },
    }),
  };
}

async function takeTurn(access: Access, ask: Ask, messages: Message[]): Promise<Turn> {
  const reply = await openaiClient(access).chat.completions.create(bodyOf(ask, messages), {
    signal: ask.signal,
  });
  const message = reply.choices[0]?.message;
  const calls = (message?.tool_calls ?? []).filter((call) => call.type === "function");
  return { content: message?.content ?? null, calls, usage: reply.usage ?? null };
}

async function streamTurn(input: {
  readonly access: Access;
  readonly ask: Ask;
  readonly messages: Message[];
  readonly onText: (text: string) => void;
}): Promise<Turn> {
  const { access, ask, messages, onText } = input;
  const stream = await openaiClient(access).chat.completions.create(
    { ...bodyOf(ask, messages), stream: true, stream_options: { include_usage: true } },
    { signal: ask.signal },
  );
  const calls: OpenAI.ChatCompletionMessageFunctionToolCall[] = [];
  let content = "";
  let finish: string | null = null;
  let usage: OpenAI.CompletionUsage | null = null;
  for await (const chunk of stream) {
    usage = chunk.usage ?? usage;
    const choice = chunk.choices[0];
    finish = choice?.finish_reason ?? finish;
    for (const { index, id, function: part } of choice?.delta.tool_calls ?? []) {
      calls[index] ??= {
        id: id ?? "",
        type: "function",
        function: { name: part?.name ?? "", arguments: "" },
      };
      calls[index].function.arguments += part?.arguments ?? "";
    }
    if (choice?.delta.content) {
      content += choice.delta.content;
      onText(choice.delta.content);
    }
  }
  // The library leaves this check to its user: without it, a truncated stream looks like a complete one.
  if (finish === null && !ask.signal?.aborted) throw new Error("the stream ended without a finish_reason");
  return { content: content === "" ? null : content, calls, usage };
}

async function converse(ask: Ask, take: (messages: Message[]) => Promise<Turn>): Promise<Answer> {
  const messages = chatMessages(ask);
  let inputTokens = 0;
  let outputTokens = 0;
  for (let turns = 0; turns < MAX_TURNS; turns++) {
    const { content, calls, usage } = await take(messages);
    inputTokens += usage?.prompt_tokens ?? 0;
    outputTokens += usage?.completion_tokens ?? 0;
    if (calls.length === 0) {
      const text = content ?? "";
      return { text, inputTokens, outputTokens, ...(ask.schema && { value: JSON.parse(text) }) };
    }
    messages.push({ role: "assistant", content, tool_calls: [...calls] });
    for (const { id, function: made } of calls) {
      const result = runTool(ask.tools, made.name, JSON.parse(made.arguments));
      messages.push({ role: "tool", tool_call_id: id, content: result });
    }
  }
  throw new Error("the model goes on calling tools");
}
