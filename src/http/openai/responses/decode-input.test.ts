import { describe, expect, test } from "bun:test";
import { createReasoningSeal } from "../sealed/sealed-reasoning.ts";
import { decode, seals } from "./testing.ts";

const messagesOf = (input: unknown, body = {}) => decode({ input, ...body }).prompt.messages;
const wireInputOf = (input: unknown) => decode({ input }).prompt.wire?.body["input"];
const user = { role: "user", content: "hi" };
const call = { type: "function_call", call_id: "c1", name: "f", arguments: "{}" };
const output = { type: "function_call_output", call_id: "c1", output: "done" };

describe("the input of a response", () => {
  test("may be a text, which is what the user says", () => {
    expect(messagesOf("hi")).toEqual([{ role: "user", content: "hi" }]);
  });

  test("stands behind the instructions", () => {
    expect(messagesOf("hi", { instructions: "be kind" })[0]).toEqual({ role: "system", content: "be kind" });
  });

  test("has messages of all roles, with or without a type, as texts or as parts", () => {
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

  test("has no line between the parts of what the model said, which it never wrote", () => {
    const parts = ["wor", "d"].map((text) => ({ type: "output_text", text, annotations: [] }));
    const messages = messagesOf([
      { role: "developer", content: parts },
      { role: "assistant", content: parts },
    ]);
    expect(messages.map(({ content }) => content)).toEqual(["wor\nd", "word"]);
  });

  test("has images, files and sound", () => {
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

describe("what the model did in one turn", () => {
  test("becomes one message: text, calls and their results in the order that providers want", () => {
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

  test("stays one message where the model spoke after its call: a result must follow who asked for it", () => {
    const messages = messagesOf([call, { role: "assistant", content: "Wait." }, output]);
    expect(messages.map(({ role }) => role)).toEqual(["assistant", "tool"]);
  });

  test("becomes two where it spoke twice and called nothing", () => {
    const said = (content: string) => ({ role: "assistant", content });
    expect(messagesOf([said("one"), said("two")])).toEqual([
      { role: "assistant", content: "one" },
      { role: "assistant", content: "two" },
    ]);
  });

  test("carries a custom tool's text as the one argument of a function", () => {
    const [message] = messagesOf([{ type: "custom_tool_call", call_id: "c1", name: "patch", input: "+a" }]);
    expect(message).toMatchObject({ toolCalls: [{ name: "patch", arguments: '{"input":"+a"}' }] });
  });

  test("keeps what tools gave back beside text", () => {
    const image = { type: "input_image", image_url: "https://example.com/a.png" };
    expect(messagesOf([call, { ...output, output: [image] }])[1]?.content).toEqual([
      { type: "image", url: "https://example.com/a.png" },
    ]);
  });
});

describe("reasoning", () => {
  const thought = [{ text: "hm", signature: "s1" }];
  const sealed = seals.reasoningSeal.seal(thought);

  test("that we sealed comes back with its signature, and is not shown to another upstream", () => {
    const input = [user, { type: "reasoning", id: "rs_1", summary: [], encrypted_content: sealed }, call];
    expect(messagesOf(input)[1]).toMatchObject({ role: "assistant", reasoning: thought });
    expect(wireInputOf(input)).toEqual([user, call]);
  });

  test("that we sealed leaves what was said after it without an id", () => {
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

  test("that we sealed goes to no other upstream either where it cannot be opened any more", () => {
    const elsewhere = createReasoningSeal("the secret before this one").seal(thought);
    for (const encrypted_content of [elsewhere, `${sealed}A`, "b1-"]) {
      const input = [user, { type: "reasoning", id: "rs_1", summary: [], encrypted_content }, call];
      expect(messagesOf(input)[1]).not.toHaveProperty("reasoning");
      expect(wireInputOf(input)).toEqual([user, call]);
    }
  });

  test("of another service is handed on to it, and said to nobody else", () => {
    const foreign = {
      type: "reasoning",
      summary: [{ type: "summary_text", text: "hm" }],
      encrypted_content: "gAAA",
    };
    expect(messagesOf([user, foreign, call])[1]).not.toHaveProperty("reasoning");
    const input = [user, foreign, call];
    expect(wireInputOf(input)).toBe(input);
  });

  test("that bears a provider's mark is handed on under it, with what reads the mark", () => {
    const encrypted_content = seals.reasoningSeal.mark("gAAA", "acme");
    const input = [user, { type: "reasoning", summary: [], encrypted_content }, call];
    expect(messagesOf(input)[1]).not.toHaveProperty("reasoning");
    const { wire } = decode({ input }).prompt;
    expect(wire?.body["input"]).toBe(input);
    expect(wire?.reasoningMark?.unmark(encrypted_content, "acme")).toBe("gAAA");
  });

  test("that stands there in words alone is said as words, unless a call's id has more of it", () => {
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

  test("that only refers to something stored is said to no provider that would not know it", () => {
    const input = [
      { type: "item_reference", id: "rs_1" },
      { id: "rs_2" },
      { type: "reasoning", id: "rs_3", summary: [] },
    ];
    expect(messagesOf([...input, user])).toEqual([{ role: "user", content: "hi" }]);
  });

  test("travels in a call's id where the client dropped the item, and is not said twice where it did not", () => {
    const sealedCall = { ...call, call_id: seals.callSeal.seal("c1", undefined, thought) };
    expect(messagesOf([sealedCall])[0]).toMatchObject({ reasoning: thought, toolCalls: [{ id: "c1" }] });
    const kept = { type: "reasoning", summary: [], encrypted_content: sealed };
    expect(messagesOf([kept, sealedCall])[0]).toMatchObject({ reasoning: thought });
  });

  test("leaves plain ids to an upstream of the same wire, on both sides of a call", () => {
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

  test("leaves ids that every upstream takes, however long the provider's own was", () => {
    const id = seals.callSeal.seal(`call_${"x".repeat(100)}`, "s2");
    const custom = { type: "custom_tool_call", name: "patch", input: "+a", call_id: id };
    const input = [custom, { type: "custom_tool_call_output", call_id: id, output: "done" }];
    const [made, answer] = wireInputOf(input) as { call_id: string }[];
    expect(made?.call_id.length).toBeLessThanOrEqual(64);
    expect(answer?.call_id).toBe(made?.call_id ?? "");
  });

  test("leaves a client's own id as it is, however long", () => {
    const id = "x".repeat(100);
    const input = [
      { ...call, call_id: id },
      { ...output, call_id: id },
    ];
    expect(wireInputOf(input)).toBe(input);
  });
});

describe("what one agent of the client's tells another", () => {
  const told = (...content: readonly object[]) => ({ type: "agent_message", author: "/root", content });
  const head = { type: "input_text", text: "Payload:" };
  const payload = (text: string) => ({ type: "encrypted_content", encrypted_content: text });

  test("is said to every model, also where its words stand in the place of an encrypted text", () => {
    const input = [user, told(head), told(head, payload("Count the files in src."))];
    expect(messagesOf(input).slice(1)).toEqual([
      { role: "user", content: "Payload:" },
      { role: "user", content: "Payload:\nCount the files in src." },
    ]);
    expect(wireInputOf(input)).toBe(input);
    expect(messagesOf([told(head)])).toHaveLength(1);
  });

  test("is left to an upstream of the same wire where it is encrypted, or nobody knows what it is", () => {
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

  test("stays as it is, since no text of it could be put back", () => {
    const { prompt } = decode({ input: [told(payload("Count the files in src."))] });
    expect(prompt.wire?.texts.isFixed(0)).toBe(true);
  });
});

describe("what has no words of ours", () => {
  test("is left out together with its result, and handed on where the wire is the same", () => {
    const input = [
      user,
      { type: "computer_call", call_id: "l1", action: {} },
      { type: "function_call_output", call_id: "l1", output: "x" },
      { type: "compaction", encrypted_content: "abc" },
    ];
    expect(messagesOf(input)).toEqual([{ role: "user", content: "hi" }]);
    expect(wireInputOf(input)).toBe(input);
  });

  test("offers its tools all the same", () => {
    const tools = [{ type: "function", name: "late" }];
    const { prompt } = decode({ input: [{ type: "additional_tools", role: "developer", tools }, user] });
    expect(prompt.tools).toEqual([{ name: "late" }]);
  });
});

describe("a wrong input is refused by the name of the field", () => {
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
    [[{ type: "item_reference", id: "x" }], "input: must have a message"],
    [[{ type: "additional_tools", tools: 5 }, user], "input[0].tools: must be a list"],
  ])("%j", (input, says) => {
    expect(() => messagesOf(input)).toThrow(says);
  });
});
