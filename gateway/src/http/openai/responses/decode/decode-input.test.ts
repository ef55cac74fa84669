import { describe, expect, test } from "bun:test";
import { createReasoningSeal } from "../../sealed/sealed-reasoning.ts";
import { decode, seals } from "../testing.ts";

const messagesOf = (input: unknown, body = {}) => decode({ input, ...body }).prompt.messages;
const wireInputOf = (input: unknown) => decode({ input }).prompt.wire?.body["input"];
const user = { role: "user", content: "hi" };
const call = { type: "function_call", call_id: "c1", name: "f", arguments: "{}" };
const output = { type: "function_call_output", call_id: "c1", output: "done" };

describe("the input of a response", () => {
  test("may be a text, which becomes a user message", () => {
    expect(messagesOf("hi")).toEqual([{ role: "user", content: "hi" }]);
  });

  test("comes after the instructions", () => {
    expect(messagesOf("hi", { instructions: "be kind" })[0]).toEqual({ role: "system", content: "be kind" });
  });

  test("may have messages of all roles, with or without a type, as text or as parts", () => {
    const parts = [{ type: "input_text", text: "a" }];
    expect(
      messagesOf([
        { role: "system", content: "s" },
        { type: "message", id: "msg_1", role: "developer", content: parts },
        { role: "user", content: parts },
        { role: "assistant", content: [{ type: "output_text", text: "b", annotations: [] }] },
        { role: "assistant", content: [{ type: "refusal", refusal: "no" }] },
      ]),
    ).toEqual([
      { role: "system", content: "s" },
      { role: "developer", content: "a" },
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
      { role: "assistant", content: "no" },
    ]);
  });

  test("has its parts of assistant text joined without line breaks", () => {
    const parts = ["wor", "d"].map((text) => ({ type: "output_text", text, annotations: [] }));
    const messages = messagesOf([
      { role: "developer", content: parts },
      { role: "assistant", content: parts },
    ]);
    expect(messages.map(({ content }) => content)).toEqual(["wor\nd", "word"]);
  });

  test("may have images, files and audio", () => {
    const [message] = messagesOf([
      {
        role: "user",
        content: [
          { type: "input_text", text: "look" },
          { type: "input_image", image_url: "data:image/png;base64,AA==", detail: "low" },
          { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,AA==" },
          { type: "input_file", file_url: "https://example.com/b.pdf" },
          { type: "input_audio", input_audio: { data: "AA==", format: "mp3" } },
          { type: "input_video", video_url: "https://example.com/c.mp4" },
        ],
      },
    ]);
    expect(message?.content).toEqual([
      { type: "text", text: "look" },
      { type: "image", url: "data:image/png;base64,AA==", detail: "low" },
      { type: "file", filename: "a.pdf", data: "data:application/pdf;base64,AA==" },
      { type: "file", data: "https://example.com/b.pdf" },
      { type: "file", data: "AA==", mediaType: "audio/mp3" },
      { type: "other", name: "input_video" },
    ]);
  });
});

describe("the items of one model turn", () => {
  test("become one message with text and calls, followed by the results", () => {
    expect(
      messagesOf([
        { role: "assistant", content: "I look." },
        call,
        { ...call, call_id: "c2", arguments: '{"a":1}' },
        output,
        { ...output, call_id: "c2", output: [{ type: "input_text", text: "x" }] },
      ]),
    ).toEqual([
      {
        role: "assistant",
        content: "I look.",
        toolCalls: [
          { id: "c1", name: "f", arguments: "{}" },
          { id: "c2", name: "f", arguments: '{"a":1}' },
        ],
      },
      { role: "tool", toolCallId: "c1", content: "done" },
      { role: "tool", toolCallId: "c2", content: "x" },
    ]);
  });

  test("stay one message if text follows a call, because the result must follow its call", () => {
    const messages = messagesOf([call, { role: "assistant", content: "Wait." }, output]);
    expect(messages.map(({ role }) => role)).toEqual(["assistant", "tool"]);
  });

  test("become two messages if there are two texts and no call", () => {
    const said = (content: string) => ({ role: "assistant", content });
    expect(messagesOf([said("one"), said("two")])).toEqual([
      { role: "assistant", content: "one" },
      { role: "assistant", content: "two" },
    ]);
  });

  test("have a custom tool's text as the single argument of a function", () => {
    const [message] = messagesOf([{ type: "custom_tool_call", call_id: "c1", name: "patch", input: "+a" }]);
    expect(message).toMatchObject({ toolCalls: [{ name: "patch", arguments: '{"input":"+a"}' }] });
  });

  test("keep images in a tool's result", () => {
    const image = { type: "input_image", image_url: "https://example.com/a.png" };
    expect(messagesOf([call, { ...output, output: [image] }])[1]?.content).toEqual([
      { type: "image", url: "https://example.com/a.png" },
    ]);
  });
});

describe("reasoning", () => {
  const thought = [{ text: "hm", signature: "s1" }];
  const sealed = seals.reasoningSeal.seal(thought);

  test("that we sealed is opened with its signature, and not sent to an upstream of the same wire", () => {
    const input = [user, { type: "reasoning", id: "rs_1", summary: [], encrypted_content: sealed }, call];
    expect(messagesOf(input)[1]).toMatchObject({ role: "assistant", reasoning: thought });
    expect(wireInputOf(input)).toEqual([user, call]);
  });

  test("that we sealed is dropped together with the ids of the items after it", () => {
    const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: sealed };
    const said = [
      { type: "message", role: "assistant", content: "hm" },
      call,
      { ...call, type: "custom_tool_call", call_id: "c2", input: "x" },
      { type: "tool_search_call", call_id: "c3", execution: "client", arguments: {} },
    ];
    const input = [reasoning, ...said.map((item, at) => ({ ...item, id: `said_${at}` }))];
    expect(wireInputOf(input)).toEqual(said);
  });

  test("that we sealed is not sent to an upstream if it cannot be opened", () => {
    const elsewhere = createReasoningSeal("the secret before this one").seal(thought);
    for (const encrypted_content of [elsewhere, `${sealed}A`, "b1-"]) {
      const input = [user, { type: "reasoning", id: "rs_1", summary: [], encrypted_content }, call];
      expect(messagesOf(input)[1]).not.toHaveProperty("reasoning");
      expect(wireInputOf(input)).toEqual([user, call]);
    }
  });

  test("of another service is passed on to that wire, and not shown to other models", () => {
    const foreign = {
      type: "reasoning",
      summary: [{ type: "summary_text", text: "hm" }],
      encrypted_content: "gAAA",
    };
    expect(messagesOf([user, foreign, call])[1]).not.toHaveProperty("reasoning");
    const input = [user, foreign, call];
    expect(wireInputOf(input)).toBe(input);
  });

  test("with a provider's mark is passed on with the mark and the means to read it", () => {
    const encrypted_content = seals.reasoningSeal.mark("gAAA", "acme");
    const input = [user, { type: "reasoning", summary: [], encrypted_content }, call];
    expect(messagesOf(input)[1]).not.toHaveProperty("reasoning");
    const { wire } = decode({ input }).prompt;
    expect(wire?.body["input"]).toBe(input);
    expect(wire?.reasoningMark?.unmark(encrypted_content, "acme")).toBe("gAAA");
  });

  test("in plain text is shown as text, unless a call's id carries the signed reasoning", () => {
    const summary = [{ type: "summary_text", text: "hm" }];
    for (const item of [
      { type: "reasoning", id: "rs_1", summary },
      { type: "reasoning", id: "rs_1", summary, encrypted_content: null },
      { type: "reasoning", id: "rs_1", summary: [], content: [{ type: "reasoning_text", text: "hm" }] },
    ]) {
      const input = [user, item, call];
      expect(messagesOf(input)[1]).toMatchObject({ role: "assistant", reasoning: [{ text: "hm" }] });
      expect(wireInputOf(input)).toBe(input);
    }
    const sealedCall = { ...call, call_id: seals.callSeal.seal("c1", undefined, thought) };
    expect(messagesOf([{ type: "reasoning", summary }, sealedCall])[0]).toMatchObject({ reasoning: thought });
  });

  test("without words is not shown to any model", () => {
    const empty = { type: "reasoning", id: "rs_3", summary: [] };
    expect(messagesOf([empty, user])).toEqual([{ role: "user", content: "hi" }]);
  });

  test("is taken from a call's id if the client dropped the item, and is not repeated otherwise", () => {
    const sealedCall = { ...call, call_id: seals.callSeal.seal("c1", undefined, thought) };
    expect(messagesOf([sealedCall])[0]).toMatchObject({ reasoning: thought, toolCalls: [{ id: "c1" }] });
    const kept = { type: "reasoning", summary: [], encrypted_content: sealed };
    expect(messagesOf([kept, sealedCall])[0]).toMatchObject({ reasoning: thought });
  });

  test("sealed in call ids is removed for an upstream of the same wire, in calls and results", () => {
    const id = seals.callSeal.seal("c1", "s2");
    const input = [
      { ...call, call_id: id },
      { ...output, call_id: id },
    ];
    expect(messagesOf(input)).toMatchObject([
      { toolCalls: [{ id: "c1", signature: "s2" }] },
      { role: "tool", toolCallId: "c1" },
    ]);
    expect(wireInputOf(input)).toEqual([call, output]);
  });

  test("sealed in call ids leaves ids of at most 64 characters, however long the provider's id was", () => {
    const id = seals.callSeal.seal(`call_${"x".repeat(100)}`, "s2");
    const custom = { type: "custom_tool_call", name: "patch", input: "+a", call_id: id };
    const input = [custom, { type: "custom_tool_call_output", call_id: id, output: "done" }];
    const [made, answer] = wireInputOf(input) as { call_id: string }[];
    expect(made?.call_id.length).toBeLessThanOrEqual(64);
    expect(answer?.call_id).toBe(made?.call_id ?? "");
  });

  test("does not change a client's own id, however long it is", () => {
    const id = "x".repeat(100);
    const input = [
      { ...call, call_id: id },
      { ...output, call_id: id },
    ];
    expect(wireInputOf(input)).toBe(input);
  });
});

describe("a message between the client's agents", () => {
  const told = (...content: readonly object[]) => ({ type: "agent_message", author: "/root", content });
  const head = { type: "input_text", text: "Payload:" };
  const payload = (text: string) => ({ type: "encrypted_content", encrypted_content: text });

  test("is shown to every model, also if its text is in the encrypted field", () => {
    const input = [user, told(head), told(head, payload("Count the files in src."))];
    expect(messagesOf(input).slice(1)).toEqual([
      { role: "user", content: "Payload:" },
      { role: "user", content: "Payload:\nCount the files in src." },
    ]);
    expect(wireInputOf(input)).toBe(input);
    expect(messagesOf([told(head)])).toHaveLength(1);
  });

  test("is left to an upstream of the same wire if it is encrypted or has an unknown form", () => {
    const cipher = `gAAAAAB${"x9_-".repeat(20)}==`;
    for (const item of [
      told(head, payload(cipher)),
      told(head, payload(`${cipher}\n`)),
      told(head, { type: "encrypted_content", encrypted_content: null }),
      told(head, { type: "weird" }),
      told(head, { type: "input_text" }),
      told(payload("")),
      told(),
      { type: "agent_message", content: ["x"] },
      { type: "agent_message" },
    ]) {
      expect(messagesOf([user, item])).toEqual([{ role: "user", content: "hi" }]);
      expect(wireInputOf([user, item])).toEqual([user, item]);
    }
  });
});

describe("an item without a neutral form", () => {
  test("is omitted with its result, and passed on on the same wire", () => {
    const input = [
      user,
      { type: "computer_call", call_id: "l1", action: {} },
      { type: "function_call_output", call_id: "l1", output: "x" },
      { type: "compaction", encrypted_content: "abc" },
    ];
    expect(messagesOf(input)).toEqual([{ role: "user", content: "hi" }]);
    expect(wireInputOf(input)).toBe(input);
  });

  test("still offers its tools", () => {
    const tools = [{ type: "function", name: "late" }];
    const { prompt } = decode({ input: [{ type: "additional_tools", role: "developer", tools }, user] });
    expect(prompt.tools).toEqual([{ name: "late" }]);
  });
});

describe("invalid input is refused with the field's name", () => {
  test.each([
    [undefined, "input: must be a string or a list of 1 to 5 items"],
    [5, "input: must be a string or"],
    [[], "input: must be a string or"],
    [Array(6).fill(user), "input: must be a string or"],
    [["hi"], "input[0]: must be an object"],
    [[{}], "input[0].type: must be the type of an item"],
    [[{ type: 5 }], "input[0].type: must be a string"],
    [[{ role: "king", content: "x" }], "input[0].role: must be one of user, assistant"],
    [[{ role: "user" }], "input[0].content: must be a string or a list of parts"],
    [[{ role: "user", content: [5] }], "input[0].content[0]: must be an object"],
    [[{ role: "user", content: [{ type: "input_text" }] }], "input[0].content[0].text: must be a string"],
    [[{ role: "user", content: [{ type: "a b" }] }], "input[0].content[0].type: must be a kind of part"],
    [
      [{ role: "user", content: [{ type: "input_image", file_id: "file-1" }] }],
      "input[0].content[0].file_id: must be absent",
    ],
    [
      [{ role: "user", content: [{ type: "input_file", filename: "a" }] }],
      "input[0].content[0].file_data: must be a data URL",
    ],
    [
      [{ role: "developer", content: [{ type: "input_image", image_url: "x" }] }],
      "input[0].content[0].type: must be a kind of text",
    ],
    [[{ type: "function_call", name: "f", arguments: "" }], "input[0].call_id: must be a string"],
    [[{ ...call, arguments: 5 }], "input[0].arguments: must be a string"],
    [[call, { ...output, output: 5 }], "input[1].output: must be a string or a list of parts"],
    [[{ type: "reasoning", id: "rs_3", summary: [] }], "input: must have a message"],
    [[{ type: "additional_tools", tools: 5 }, user], "input[0].tools: must be a list"],
  ])("%j", (input, says) => {
    expect(() => messagesOf(input)).toThrow(says);
  });
});
