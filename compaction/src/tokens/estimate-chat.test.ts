import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ChatMessage } from "../message.ts";
import { finishSteps } from "../steps.ts";
import { estimateTokens } from "./estimate.ts";
import { countAttachments, estimatePromptTokens, frameSteps } from "./estimate-chat.ts";

const estimate = (...messages: readonly ChatMessage[]) => estimatePromptTokens({ messages });
const text = "Where is the harbour?";
const parameters = { type: "object", properties: { city: { type: "string" } } };

describe("estimatePromptTokens", () => {
  test("counts text, but not images and files, which countAttachments counts", () => {
    const content = [
      { type: "text", text },
      { type: "image", url: "https://a.example/b.png" },
    ] as const;
    expect(estimate({ role: "user", content })).toBe(estimate({ role: "user", content: text }));
    expect(countAttachments([{ role: "user", content }])).toEqual({ images: 1, files: 0, inResults: 0 });
    const result = {
      role: "tool",
      toolCallId: "1",
      content: [...content, { type: "file", data: "AA==" }],
    } as const;
    expect(countAttachments([result])).toEqual({ images: 1, files: 1, inResults: 2 });
  });

  test("counts an assistant's calls and reasoning", () => {
    const said = estimate({ role: "assistant", content: null });
    const called = estimate({
      role: "assistant",
      content: null,
      toolCalls: [{ id: "1", name: "look_up", arguments: text }],
      reasoning: [{ text }],
    });
    expect(called - said).toBeGreaterThanOrEqual(estimateTokens("look_up") + 2 * estimateTokens(text));
  });

  test("counts the frames of recorded calls to the token", () => {
    // Prompts of one and of two messages whose texts have 1 and 13 tokens: providers reported 8 and 24.
    expect(estimate({ role: "user", content: "Hello" })).toBe(8);
    const system = "You are a helpful assistant.";
    const words = estimateTokens(system) + estimateTokens("Hello world");
    expect(estimate({ role: "system", content: system }, { role: "user", content: "Hello world" })).toBe(
      words + 11,
    );
  });

  test("counts tools and the response schema, as somewhat less than their JSON", () => {
    const description = "Says what the weather is.\nNever lies.";
    const json = estimateTokens(JSON.stringify(parameters));
    const withTool = estimatePromptTokens({
      messages: [],
      tools: [{ name: "weather", description, parameters }],
    });
    const beyond = withTool - estimate() - estimateTokens(description);
    expect(beyond).toBeGreaterThan(json * 0.7);
    expect(beyond).toBeLessThan(json + 15);
    const responseFormat = { type: "json_schema", name: "city", schema: parameters } as const;
    expect(estimatePromptTokens({ messages: [], responseFormat })).toBeGreaterThan(estimate() + json * 0.7);
    expect(estimatePromptTokens({ messages: [], responseFormat: { type: "json" } })).toBe(estimate());
    expect(estimatePromptTokens({ messages: [], tools: [{ name: "" }] })).toBeGreaterThan(estimate());
  });

  test("is the sum of its messages and one frame", () => {
    const messages = fc.array(
      fc.record({ role: fc.constant("user" as const), content: fc.string({ unit: "grapheme" }) }),
    );
    fc.assert(
      fc.property(messages, messages, (first, more) => {
        expect(estimate(...first, ...more)).toBe(estimate(...first) + estimate(...more) - estimate());
      }),
    );
  });

  test("equals the frame plus the texts", () => {
    const prompt = {
      messages: [{ role: "user" as const, content: text }],
      tools: [{ name: "weather", parameters }],
    };
    expect(estimatePromptTokens(prompt)).toBe(finishSteps(frameSteps(prompt)).tokens + estimateTokens(text));
  });

  test.each([
    ["English", "Says what the weather is like in a city, and never lies."],
    ["German, with an emoji", "Sagt, wie das Wetter über der Küste wird 🌧️, und lügt dabei nie."],
    ["Russian", "Говорит, какая погода в городе, и никогда не лжёт."],
    ["Chinese", "說明城市的天氣如何，而且從不說謊。"],
    ["Vietnamese", "Cho biết thời tiết ở thành phố như thế nào, và không bao giờ nói dối."],
    ["Arabic", "يخبر عن حالة الطقس في المدينة ولا يكذب أبدا."],
  ])("adds nothing for rare letters to tools in %s", (_language, description) => {
    const schema = { type: "object", properties: { city: { type: "string", description } } };
    const responseFormat = { type: "json_schema", name: "city", schema } as const;
    const tools = [{ name: "weather", description, parameters: schema }];
    expect(finishSteps(frameSteps({ messages: [], tools, responseFormat })).ofRareLetters).toBe(0);
  });

  test("counts rare letters in tools by their bytes for the hold", () => {
    const rare = "\u{12000}\u{12157}\u{1209a}".repeat(100);
    const held = (description: string, parameters?: unknown) => {
      const tools = [{ name: "weather", description, parameters }];
      const { tokens, ofRareLetters } = finishSteps(frameSteps({ messages: [], tools }));
      return (tokens + ofRareLetters) * 1.2;
    };
    expect(held(rare)).toBeGreaterThanOrEqual(Buffer.byteLength(rare));
    expect(held("", { description: rare })).toBeGreaterThanOrEqual(Buffer.byteLength(rare));
  });

  test("grows with every message, even an empty one", () => {
    const empty: ChatMessage = { role: "user", content: "" };
    expect(estimate(empty)).toBeGreaterThan(0);
    expect(estimate(empty, empty)).toBeGreaterThan(estimate(empty));
  });
});
