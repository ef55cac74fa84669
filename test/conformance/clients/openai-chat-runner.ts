import type OpenAI from "openai";
import { zodFunction, zodResponseFormat } from "openai/helpers/zod";
import { type Ask, type Client, type ClientTool, MAX_TURNS } from "./client.ts";
import { chatMessages, openaiClient } from "./openai-chat.ts";
import { openaiRefusal } from "./openai-refusal.ts";

/** `parse`, `stream` and `runTools`, which read replies more strictly than `create` does. */
export const openaiChatHelpers: Client = {
  name: "openai chat helpers",
  wire: "chat",
  readsShouldRetry: true,
  async ask(access, ask) {
    const { completions } = openaiClient(access).chat;
    const options = { signal: ask.signal };
    if (ask.tools === undefined) {
      const reply = await completions.parse(bodyOf(ask), options);
      const message = reply.choices[0]?.message;
      return { text: message?.content ?? "", value: message?.parsed, ...tokensOf(reply.usage) };
    }
    const body = { ...bodyOf(ask), tools: toolsOf(ask.tools) };
    const runner = completions.runTools(body, { ...options, maxChatCompletions: MAX_TURNS });
    const text = await runner.finalContent();
    return { text: text ?? "", ...tokensOf(await runner.totalUsage()) };
  },
  async stream(access, ask, onText = () => {}) {
    const { completions } = openaiClient(access).chat;
    const options = { signal: ask.signal };
    const body = { ...bodyOf(ask), stream: true, stream_options: { include_usage: true } } as const;
    if (ask.tools === undefined) {
      const stream = completions.stream(body, options).on("content", onText);
      const reply = await stream.finalChatCompletion();
      const message = reply.choices[0]?.message;
      return { text: message?.content ?? "", value: message?.parsed, ...tokensOf(reply.usage) };
    }
    const runner = completions
      .runTools({ ...body, tools: toolsOf(ask.tools) }, { ...options, maxChatCompletions: MAX_TURNS })
      .on("content", onText);
    const text = await runner.finalContent();
    return { text: text ?? "", ...tokensOf(await runner.totalUsage()) };
  },
  refusalOf: openaiRefusal,
};

function bodyOf(ask: Ask) {
  return {
    model: ask.model,
    messages: chatMessages(ask),
    ...(ask.schema && { response_format: zodResponseFormat(ask.schema, "answer") }),
  };
}

function toolsOf(tools: readonly ClientTool[]) {
  return tools.map(({ name, parameters, run }) =>
    zodFunction({ name, parameters, description: `Runs ${name}.`, function: (input) => run(input) }),
  );
}

function tokensOf(usage: OpenAI.CompletionUsage | null | undefined) {
  return { inputTokens: usage?.prompt_tokens ?? 0, outputTokens: usage?.completion_tokens ?? 0 };
}
