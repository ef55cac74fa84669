import { Agent, OpenAIProvider, Runner, tool } from "@openai/agents";
import { type Access, type Ask, type Client, MAX_TURNS } from "./client.ts";
import { openaiClient } from "./openai-chat.ts";
import { openaiRefusal } from "./openai-refusal.ts";

export const agentsChat = clientOf("@openai/agents chat", "chat");
export const agentsResponses = clientOf("@openai/agents responses", "responses");

function clientOf(name: string, wire: Client["wire"]): Client {
  return {
    name,
    wire,
    readsShouldRetry: true,
    async ask(access, ask) {
      const result = await runnerOf(access, wire).run(agentOf(ask), inputOf(ask), optionsOf(ask));
      return answerOf(ask, result);
    },
    async stream(access, ask, onText = () => {}) {
      const options = { ...optionsOf(ask), stream: true } as const;
      const result = await runnerOf(access, wire).run(agentOf(ask), inputOf(ask), options);
      for await (const text of result.toTextStream()) onText(text);
      await result.completed;
      if (result.error) throw result.error;
      return answerOf(ask, result);
    },
    refusalOf: openaiRefusal,
  };
}

function runnerOf(access: Access, wire: Client["wire"]): Runner {
  const modelProvider = new OpenAIProvider({
    openAIClient: openaiClient(access),
    useResponses: wire === "responses",
  });
  return new Runner({ modelProvider, tracingDisabled: true });
}

function agentOf({ model, tools = [], schema }: Ask) {
  return new Agent({
    name: "Tester",
    instructions: "Answer briefly.",
    model,
    tools: tools.map(({ name, parameters, run }) =>
      tool({ name, description: `Runs ${name}.`, parameters, execute: async (input) => run(input) }),
    ),
    ...(schema && { outputType: schema }),
  });
}

function inputOf({ prompt, imageUrl }: Ask) {
  if (imageUrl === undefined) return prompt;
  const text = { type: "input_text", text: prompt } as const;
  const image = { type: "input_image", image: imageUrl } as const;
  return [{ role: "user" as const, content: [text, image] }];
}

function optionsOf({ signal }: Ask) {
  return { maxTurns: MAX_TURNS, ...(signal && { signal }) };
}

function answerOf(
  { schema }: Ask,
  result: { finalOutput?: unknown; state: { usage: { inputTokens: number; outputTokens: number } } },
) {
  const { inputTokens, outputTokens } = result.state.usage;
  const text = typeof result.finalOutput === "string" ? result.finalOutput : "";
  return { text, inputTokens, outputTokens, ...(schema && { value: result.finalOutput }) };
}
