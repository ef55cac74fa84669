import { AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { z } from "zod";
import { type Access, type Answer, type Ask, type Client, MAX_TURNS, runTool } from "./client.ts";
import { openaiRefusal } from "./openai-refusal.ts";

export const langchainChat = clientOf("@langchain/openai chat", "chat");
export const langchainResponses = clientOf("@langchain/openai responses", "responses");

type TakeTurn = (messages: BaseMessage[]) => Promise<AIMessageChunk>;

function clientOf(name: string, wire: Client["wire"]): Client {
  return {
    name,
    wire,
    readsShouldRetry: false,
    async ask(access, ask) {
      const model = modelOf(access, ask, wire);
      if (ask.schema !== undefined) return structured(model, ask, ask.schema);
      return converse(ask, async (messages) => {
        const message = await model.invoke(messages, optionsOf(ask));
        return message as AIMessageChunk;
      });
    },
    async stream(access, ask, onText = () => {}) {
      const model = modelOf(access, ask, wire);
      if (ask.schema !== undefined) return structured(model, ask, ask.schema);
      return converse(ask, async (messages) => {
        let whole: AIMessageChunk | undefined;
        for await (const chunk of await model.stream(messages, optionsOf(ask))) {
          if (chunk.text !== "") onText(chunk.text);
          whole = whole === undefined ? chunk : whole.concat(chunk);
        }
        return whole ?? new AIMessageChunk("");
      });
    },
    refusalOf: openaiRefusal,
  };
}

function modelOf({ origin, key, maxRetries }: Access, { model }: Ask, wire: Client["wire"]): ChatOpenAI {
  return new ChatOpenAI({
    model,
    apiKey: key,
    configuration: { baseURL: `${origin}/v1` },
    useResponsesApi: wire === "responses",
    ...(maxRetries !== undefined && { maxRetries }),
  });
}

function optionsOf({ tools, signal }: Ask) {
  return {
    ...(signal && { signal }),
    ...(tools && {
      tools: tools.map(({ name, parameters }) => ({
        type: "function" as const,
        function: { name, description: `Runs ${name}.`, parameters: z.toJSONSchema(parameters) },
      })),
    }),
  };
}

async function structured(model: ChatOpenAI, ask: Ask, schema: z.ZodObject): Promise<Answer> {
  const runnable = model.withStructuredOutput(schema, { includeRaw: true, method: "jsonSchema" });
  const { raw, parsed } = await runnable.invoke(messagesOf(ask));
  return { text: raw.text, value: parsed, ...tokensOf(raw as AIMessageChunk) };
}

function messagesOf({ prompt, imageUrl }: Ask): BaseMessage[] {
  const image = { type: "image_url", image_url: { url: imageUrl } };
  const content = imageUrl === undefined ? prompt : [{ type: "text", text: prompt }, image];
  return [new HumanMessage({ content })];
}

async function converse(ask: Ask, take: TakeTurn): Promise<Answer> {
  const messages = messagesOf(ask);
  let inputTokens = 0;
  let outputTokens = 0;
  for (let turns = 0; turns < MAX_TURNS; turns++) {
    const message = await take(messages);
    const tokens = tokensOf(message);
    inputTokens += tokens.inputTokens;
    outputTokens += tokens.outputTokens;
    const calls = message.tool_calls ?? [];
    if (calls.length === 0) return { text: message.text, inputTokens, outputTokens };
    messages.push(message);
    for (const { id, name, args } of calls) {
      messages.push(new ToolMessage({ tool_call_id: id ?? "", content: runTool(ask.tools, name, args) }));
    }
  }
  throw new Error("the model goes on calling tools");
}

function tokensOf({ usage_metadata: usage }: AIMessageChunk) {
  return { inputTokens: usage?.input_tokens ?? 0, outputTokens: usage?.output_tokens ?? 0 };
}
