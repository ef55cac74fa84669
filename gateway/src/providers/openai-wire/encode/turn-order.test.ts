import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../../../test/fastest.ts";
import type { ChatMessage } from "../../../contract/index.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { bodyFor, CALL, CALL_ON_WIRE, wireBodyFor } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";

const { mistral, perplexity, openai, vllm, llamacpp, fireworks, openrouter, alibaba } = WIRE_VENDORS;
const wire = WIRE_VENDORS["openai-wire"];

const RULES: ChatMessage = { role: "system", content: "Be brief." };
const HINT: ChatMessage = { role: "system", content: "Now in French." };
const ASK: ChatMessage = { role: "user", content: "Look." };
const AGAIN: ChatMessage = { role: "user", content: "Go on." };
const SAID: ChatMessage = { role: "assistant", content: "I see." };
const RESULT: ChatMessage = { role: "tool", toolCallId: "c12345678", content: "4" };
const RESULT_ON_WIRE = { role: "tool", tool_call_id: "c12345678", content: "4" };
const ON_WIRE = new Map<ChatMessage, unknown>([
  [CALL, CALL_ON_WIRE],
  [RESULT, RESULT_ON_WIRE],
]);

type Sent = { readonly role: string; readonly content: unknown };

/** What is sent if the client speaks responses, and if it speaks chat completions. */
function sent(vendor: WireVendor, ...neutral: readonly ChatMessage[]): readonly (readonly Sent[])[] {
  return sentTo({ vendor, model: "m" }, ...neutral);
}

function sentTo(
  target: { readonly vendor: WireVendor; readonly model: string },
  ...neutral: readonly ChatMessage[]
): readonly (readonly Sent[])[] {
  const messages = neutral.map((message) => ON_WIRE.get(message) ?? message);
  const bodies = [bodyFor({ messages: neutral }, target), wireBodyFor({ messages }, { ...target, neutral })];
  return bodies.map((body) => body["messages"] as Sent[]);
}

const rolesOf = (messages: readonly Sent[]) => messages.map(({ role }) => role);

describe("for Mistral", () => {
  test.each<[string, readonly ChatMessage[]]>([
    ["an answer", [RULES, ASK, SAID, HINT, AGAIN]],
    ["the results of tools", [RULES, ASK, CALL, RESULT, HINT]],
  ])("instructions behind %s go to the front, in their order", (_, talk) => {
    for (const messages of sent(mistral, ...talk)) {
      expect(messages.slice(0, 2)).toEqual([RULES, HINT] as Sent[]);
      expect(messages.slice(2).every(({ role }) => role !== "system")).toBe(true);
      expect(messages).toHaveLength(talk.length);
    }
  });

  test("instructions in a place that it accepts stay there", () => {
    for (const messages of sent(mistral, RULES, ASK, HINT, CALL, RESULT, AGAIN)) {
      expect(rolesOf(messages)).toEqual(["system", "user", "system", "assistant", "tool", "user"]);
    }
  });
});

test("of instructions that are joined, those without content add nothing", () => {
  const messages = [RULES, { role: "system", content: null }, HINT, ASK];
  const neutral: ChatMessage[] = [RULES, { role: "system", content: "" }, HINT, ASK];
  const { messages: said } = wireBodyFor({ messages }, { vendor: vllm, neutral });
  expect(said).toEqual([{ role: "system", content: "Be brief.\n\nNow in French." }, ASK]);
});

describe("for Perplexity", () => {
  test("messages of the user that follow each other become one", () => {
    for (const messages of sent(perplexity, RULES, ASK, AGAIN, SAID, AGAIN)) {
      expect(messages).toEqual([RULES, { role: "user", content: "Look.\n\nGo on." }, SAID, AGAIN] as Sent[]);
    }
  });

  test("a message with an image keeps its parts", () => {
    const image = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
    const parts = [{ type: "text", text: "This?" }, image];
    const neutral: ChatMessage[] = [
      ASK,
      {
        role: "user",
        content: [
          { type: "text", text: "This?" },
          { type: "image", url: "https://example.com/a.png" },
        ],
      },
    ];
    const messages = [ASK, { role: "user", content: parts }];
    for (const body of [
      bodyFor({ messages: neutral }, { vendor: perplexity }),
      wireBodyFor({ messages }, { vendor: perplexity, neutral }),
    ]) {
      expect(body["messages"]).toEqual([
        { role: "user", content: [{ type: "text", text: "Look." }, ...parts] },
      ]);
    }
  });

  test("answers that follow each other become one, and instructions go to the front", () => {
    for (const messages of sent(perplexity, ASK, SAID, SAID, HINT, AGAIN)) {
      expect(messages).toEqual([
        HINT,
        ASK,
        { role: "assistant", content: "I see.\n\nI see." },
        AGAIN,
      ] as Sent[]);
    }
  });
});

describe("where a model has one place for instructions, all of them become its first message", () => {
  const ALL = { role: "system", content: "Be brief.\n\nNow in French." };

  test.each<[string, WireVendor]>([
    ["any", vllm],
    ["any", llamacpp],
    ["Qwen/Qwen3.5-35B-A3B-FP8", wire],
    ["accounts/fireworks/models/qwen3p6-plus", fireworks],
    ["qwen/qwen3.6-27b", openrouter],
    ["qwen3.8-max", alibaba],
  ])("%s: %#", (model, vendor) => {
    for (const talk of [
      [RULES, HINT, ASK, SAID, AGAIN],
      [RULES, ASK, SAID, HINT, AGAIN],
      [ASK, RULES, SAID, AGAIN, HINT],
    ]) {
      for (const messages of sentTo({ vendor, model }, ...talk)) {
        expect(messages).toEqual([ALL, ASK, SAID, AGAIN] as Sent[]);
      }
    }
    for (const messages of sentTo({ vendor, model }, RULES, ASK, CALL, RESULT, HINT)) {
      expect(messages).toMatchObject([ALL, ASK, CALL_ON_WIRE, RESULT_ON_WIRE]);
    }
  });

  test("parts stay parts, and a single message at the front is sent as it came", () => {
    const parts = [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }];
    const messages = [{ role: "system", content: parts }, ASK, HINT];
    const body = wireBodyFor({ messages }, { vendor: vllm, neutral: [RULES, ASK, HINT] });
    const content = [...parts, { type: "text", text: "Now in French." }];
    expect(body["messages"]).toEqual([{ role: "system", content }, ASK]);
    for (const given of sent(vllm, RULES, ASK, SAID, AGAIN)) {
      expect(given).toEqual([RULES, ASK, SAID, AGAIN] as Sent[]);
    }
  });

  test("instructions alone are one message too", () => {
    for (const messages of sent(vllm, RULES, HINT)) expect(messages).toEqual([ALL] as Sent[]);
  });
});

test("Qwen before 3.5 takes instructions anywhere", () => {
  for (const messages of sentTo({ vendor: wire, model: "Qwen/Qwen3-32B" }, RULES, ASK, SAID, HINT)) {
    expect(rolesOf(messages)).toEqual(["system", "user", "assistant", "system"]);
  }
});

test("calls and their results stay apart where messages are joined", () => {
  for (const messages of sent(perplexity, ASK, AGAIN, CALL, RESULT, AGAIN)) {
    expect(messages.slice(1)).toMatchObject([CALL_ON_WIRE, RESULT_ON_WIRE, AGAIN]);
    expect(messages[1]?.content ?? null).toBeNull();
  }
});

test("thousands of long messages in a row are joined without delay", () => {
  const messages = Array.from({ length: 10_000 }, () => ({
    role: "user" as const,
    content: "x".repeat(2_000),
  }));
  const join = () => bodyFor({ messages }, { vendor: perplexity })["messages"] as readonly Sent[];
  expect(join()[0]?.content).toHaveLength(10_000 * 2_002 - 2);
  expect(fastestMs(join, 3, 500)).toBeLessThan(500);
});

test.each([wire, openai])("servers that take any order get the client's own: %#", (vendor) => {
  for (const messages of sent(vendor, RULES, ASK, AGAIN, CALL, RESULT, AGAIN, SAID, SAID, HINT)) {
    expect(rolesOf(messages).map((role) => role[0])).toEqual([..."suuatuaas"]);
  }
});
