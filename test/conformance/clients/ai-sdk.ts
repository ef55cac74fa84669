import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  APICallError,
  generateText,
  isStepCount,
  type LanguageModel,
  Output,
  RetryError,
  StreamProviderError,
  streamText,
  tool,
} from "ai";
import { type Access, type Ask, type Client, type ClientTool, MAX_TURNS, type Refusal } from "./client.ts";

type ModelMaker = (access: Access, model: string) => LanguageModel;

const openai = ({ origin, key }: Access) => createOpenAI({ baseURL: `${origin}/v1`, apiKey: key });

export const aiSdkChat = clientOf("@ai-sdk/openai chat", "chat", (access, model) =>
  openai(access).chat(model),
);
export const aiSdkResponses = clientOf("@ai-sdk/openai responses", "responses", (access, model) =>
  openai(access).responses(model),
);
export const aiSdkCompatible = clientOf("@ai-sdk/openai-compatible", "chat", ({ origin, key }, model) =>
  createOpenAICompatible({
    name: "bursar",
    baseURL: `${origin}/v1`,
    apiKey: key,
    includeUsage: true,
    supportsStructuredOutputs: true,
  }).chatModel(model),
);

function clientOf(name: string, wire: Client["wire"], modelOf: ModelMaker): Client {
  return {
    name,
    wire,
    readsShouldRetry: false,
    async ask(access, ask) {
      const result = await generateText(optionsOf(access, ask, modelOf));
      return {
        text: result.text,
        ...(ask.schema && { value: result.output }),
        inputTokens: result.totalUsage.inputTokens ?? 0,
        outputTokens: result.totalUsage.outputTokens ?? 0,
      };
    },
    async stream(access, ask, onText = () => {}) {
      const result = streamText({ ...optionsOf(access, ask, modelOf), onError: () => {} });
      for await (const part of result.fullStream) {
        if (part.type === "text-delta") onText(part.text);
        // The library does not throw here; its user has to check.
        if (part.type === "error") throw part.error;
        if (part.type === "abort") throw new DOMException("aborted", "AbortError");
      }
      const usage = await result.totalUsage;
      return {
        text: await result.text,
        ...(ask.schema && { value: await result.output }),
        inputTokens: usage.inputTokens ?? 0,
        outputTokens: usage.outputTokens ?? 0,
      };
    },
    refusalOf,
  };
}

function optionsOf(access: Access, ask: Ask, modelOf: ModelMaker) {
  const { prompt, imageUrl, tools, schema, signal } = ask;
  const text = { type: "text", text: prompt } as const;
  const content =
    imageUrl === undefined
      ? prompt
      : [text, { type: "file", mediaType: "image/png", data: imageUrl } as const];
  return {
    model: modelOf(access, ask.model),
    // As docs/clients.md says: with its defaults, it sends references to what was never stored.
    providerOptions: { openai: { store: false } },
    messages: [{ role: "user" as const, content }],
    stopWhen: isStepCount(MAX_TURNS),
    ...(access.maxRetries !== undefined && { maxRetries: access.maxRetries }),
    ...(tools && { tools: toolsOf(tools) }),
    ...(schema && { output: Output.object({ schema }) }),
    ...(signal && { abortSignal: signal }),
  };
}

function toolsOf(tools: readonly ClientTool[]) {
  return Object.fromEntries(
    tools.map(({ name, parameters, run }) => [
      name,
      tool({
        description: `Runs ${name}.`,
        inputSchema: parameters,
        execute: async (input: Record<string, unknown>) => run(input),
      }),
    ]),
  );
}

function refusalOf(thrown: unknown): Refusal {
  const error = RetryError.isInstance(thrown) ? thrown.lastError : thrown;
  if (StreamProviderError.isInstance(error))
    return { status: null, code: String(error.code), param: null, checkoutUrl: null };
  if (!APICallError.isInstance(error)) throw error;
  const body = JSON.parse(error.responseBody ?? "{}") as {
    error?: { code?: string; param?: string };
    checkout_url?: string;
  };
  return {
    status: error.statusCode ?? null,
    code: body.error?.code ?? null,
    param: body.error?.param ?? null,
    checkoutUrl: body.checkout_url ?? null,
  };
}
