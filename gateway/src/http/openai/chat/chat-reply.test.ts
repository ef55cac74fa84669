import { describe, expect, test } from "bun:test";
import { chatBody, chatReply } from "./chat-reply.ts";
import { chatCompletionSchema } from "./chat-schema.ts";
import {
  answerWith,
  CHARGE,
  CREATED,
  callSeal,
  formWith,
  paidFor,
  REQUEST_ID,
  WIRE_USAGE,
} from "./chat-testing.ts";

const bodyOf = (...input: Parameters<typeof paidFor>) =>
  chatCompletionSchema.parse(chatBody(paidFor(...input), formWith()));
const add = { id: "call_1", name: "add", arguments: '{"a":1}' };

describe("a reply", () => {
  test("has exactly the fields of the wire and our charge, with id and time from the request id", () => {
    expect(bodyOf([answerWith({ content: "Hi." })])).toEqual({
      id: `chatcmpl-${REQUEST_ID}`,
      object: "chat.completion",
      created: CREATED,
      model: "acme-chat",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Hi.", refusal: null },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage: WIRE_USAGE,
      ...CHARGE,
    });
  });

  test("has charge, total balance, rate limit and whether it is a repeat in its headers", () => {
    const paid = paidFor([answerWith({ content: "Hi." })]);
    const { headers } = chatReply("another-id", paid, formWith());
    const names = [
      "x-request-id",
      "x-credits-charged",
      "x-credits-balance",
      "x-ratelimit-remaining-requests",
    ];
    expect(names.map((name) => headers.get(name))).toEqual(["another-id", "3", "30", "599"]);
    expect(headers.has("idempotent-replayed")).toBe(false);
    const repeat = chatReply("another-id", { ...paid, replayed: true }, formWith()).headers;
    expect([repeat.get("idempotent-replayed"), repeat.get("x-ratelimit-limit-requests")]).toEqual([
      "true",
      "600",
    ]);
  });

  test("has one choice per answer", () => {
    const { choices } = bodyOf([
      answerWith({ content: "a" }),
      answerWith({ content: "b", finishReason: "length" }),
    ]);
    expect(
      choices.map(({ index, message, finish_reason }) => [index, message.content, finish_reason]),
    ).toEqual([
      [0, "a", "stop"],
      [1, "b", "length"],
    ]);
  });

  test("has null content beside calls or a refusal, and empty content otherwise", () => {
    const contents = [answerWith(), answerWith({ toolCalls: [add] }), answerWith({ refusal: "No." })];
    expect(bodyOf(contents).choices.map(({ message }) => message.content)).toEqual(["", null, null]);
    expect(bodyOf(contents).choices[2]?.message.refusal).toBe("No.");
  });

  test("has reasoning and log probabilities if there are any", () => {
    const token = { token: "Hi", logprob: -0.1, bytes: null, top_logprobs: [] };
    const reasoning = [{ text: "I " }, { text: "greet." }];
    const [choice] = bodyOf([answerWith({ content: "Hi", reasoning, logprobs: [token] })]).choices;
    expect(choice?.message.reasoning_content).toBe("I greet.");
    expect(choice?.logprobs).toEqual({ content: [token], refusal: null });
  });
});

describe("tool calls", () => {
  test.each(["stop", "tool_calls"] as const)(
    "finish with tool_calls if the provider reports %s",
    (finishReason) => {
      const [choice] = bodyOf([answerWith({ toolCalls: [add], finishReason })]).choices;
      expect(choice?.finish_reason).toBe("tool_calls");
      expect(choice?.message.tool_calls).toEqual([
        { id: "call_1", type: "function", function: { name: "add", arguments: '{"a":1}' } },
      ]);
    },
  );

  test("finish with stop if the caller named the tool, and with length if they were cut", () => {
    const reasons = (finishReason: "tool_calls" | "length", isNamed: boolean) => {
      const paid = paidFor([answerWith({ toolCalls: [add], finishReason })]);
      return chatCompletionSchema.parse(chatBody(paid, formWith({ isNamed }))).choices[0]?.finish_reason;
    };
    expect([reasons("tool_calls", true), reasons("length", false)]).toEqual(["stop", "length"]);
  });

  test("that are reported but missing finish with stop", () => {
    expect(
      bodyOf([answerWith({ content: "Hi.", finishReason: "tool_calls" })]).choices[0]?.finish_reason,
    ).toBe("stop");
  });

  test("carry signed reasoning in the first id, and each its own signature", () => {
    const reasoning = [{ text: "I must add.", signature: "proof" }];
    const toolCalls = [add, { ...add, id: "call_2", signature: "signed" }, { ...add, id: "call_3" }];
    const ids =
      bodyOf([answerWith({ toolCalls, reasoning })]).choices[0]?.message.tool_calls?.map(({ id }) => id) ??
      [];
    expect(ids.map((id) => callSeal.open(id))).toEqual([
      { id: "call_1", reasoning },
      { id: "call_2", signature: "signed" },
      { id: "call_3" },
    ]);
  });

  test("of custom tools have their text, and those of the older form are a function_call", () => {
    const toolCalls = [{ id: "call_1", name: "say", arguments: '{"input":"a \\"b\\""}' }];
    const custom = chatBody(
      paidFor([answerWith({ toolCalls })]),
      formWith({ customTools: new Set(["say"]) }),
    );
    expect(chatCompletionSchema.parse(custom).choices[0]?.message.tool_calls).toEqual([
      { id: "call_1", type: "custom", custom: { name: "say", input: 'a "b"' } },
    ]);
    const older = chatBody(paidFor([answerWith({ toolCalls: [add] })]), formWith({ isFunctionCall: true }));
    const [choice] = chatCompletionSchema.parse(older).choices;
    expect([choice?.message.function_call, choice?.message.tool_calls, choice?.finish_reason]).toEqual([
      { name: "add", arguments: '{"a":1}' },
      undefined,
      "function_call",
    ]);
  });
});

test("an upstream's own reply is passed on except for id, model, time, usage and charge", () => {
  const choices = [
    {
      index: 0,
      message: { role: "assistant", content: "Hi.", refusal: null },
      logprobs: null,
      finish_reason: "stop",
    },
  ];
  const wire = {
    id: "theirs",
    model: "m",
    created: 1,
    usage: {},
    credits_charged: 0,
    system_fingerprint: "fp",
    choices,
  };
  const body = chatBody(paidFor([], { wire }), formWith());
  expect(chatCompletionSchema.parse(body)).toEqual({
    id: `chatcmpl-${REQUEST_ID}`,
    object: "chat.completion",
    created: CREATED,
    model: "acme-chat",
    system_fingerprint: "fp",
    choices,
    usage: WIRE_USAGE,
    ...CHARGE,
  } as never);
});
