import { describe, expect, test } from "bun:test";
import { AppError } from "../../../../kit/index.ts";
import { decodeJson } from "../../../body/json-body.ts";
import { decode, MAX_ITEMS, seals } from "../testing.ts";
import { decodeResponseRequest } from "./decode-request.ts";

const schema = { type: "object" };

describe("a request for a response", () => {
  test("gives a prompt, and its body is passed on unchanged on the same wire", () => {
    const body = { model: "m", input: "hi", stream: true, max_output_tokens: 5, unknown: { a: 1 } };
    const fields = decodeResponseRequest(body, { seals, maxItems: MAX_ITEMS });
    expect(fields).toMatchObject({ modelId: "m", isStreamed: true, maxTokens: 5 });
    expect(fields.prompt.wire).toMatchObject({ kind: "responses", body });
    expect(fields.prompt.wire?.body).toBe(body);
  });

  test("carries the exact digits of numbers that a double cannot hold", () => {
    const text = '{"model":"m","input":"hi","extra":{"id":1234567890123456789}}';
    const body = decodeJson(new TextEncoder().encode(text), 8);
    const { wire } = decodeResponseRequest(body, { seals, maxItems: MAX_ITEMS }).prompt;
    expect([...(wire?.exactNumbers?.values() ?? [])]).toEqual(["1234567890123456789"]);
  });

  test("is refused if a number is beyond the range of a double", () => {
    const body = decodeJson(new TextEncoder().encode('{"model":"m","input":"hi","extra":1e400}'), 8);
    expect(() => decodeResponseRequest(body, { seals, maxItems: MAX_ITEMS })).toThrow(
      "body: must have no number beyond",
    );
  });

  test("translates sampling, effort and format into the neutral form", () => {
    const { prompt } = decode({
      input: "hi",
      temperature: 0.5,
      top_p: 0.9,
      reasoning: { effort: "low", summary: "auto" },
      text: { format: { type: "json_schema", name: "s", schema, strict: true }, verbosity: "low" },
    });
    expect(prompt).toMatchObject({
      temperature: 0.5,
      topP: 0.9,
      reasoningEffort: "low",
      responseFormat: { type: "json_schema", name: "s", schema, strict: true },
    });
  });

  test.each([
    [{ type: "text" }, undefined],
    [{ type: "json_object" }, { type: "json" }],
    [null, undefined],
  ])("translates the format %j", (format, neutral) => {
    expect(decode({ input: "hi", text: { format } }).prompt.responseFormat).toEqual(neutral as undefined);
  });

  test("passes only fields that change the answer to providers of another wire", () => {
    const { prompt } = decode({
      input: "hi",
      tools: [{ type: "function", name: "f" }],
      parallel_tool_calls: false,
      presence_penalty: 1,
      top_logprobs: 2,
      prompt_cache_key: "k",
      user: "u",
      metadata: { a: "b" },
      service_tier: "priority",
      client_metadata: {},
    });
    expect(prompt.wireFields).toEqual({
      parallel_tool_calls: false,
      presence_penalty: 1,
      logprobs: true,
      top_logprobs: 2,
    });
  });

  test("passes parallel_tool_calls on only if there are tools, also if these are in the input", () => {
    const user = { role: "user", content: "hi" };
    const item = { type: "additional_tools", role: "developer", tools: [{ type: "function", name: "f" }] };
    const { prompt } = decode({ input: [item, user], parallel_tool_calls: false });
    expect(prompt.wireFields).toEqual({ parallel_tool_calls: false });
    const hosted = decode({ input: [user], tools: [{ type: "web_search" }], parallel_tool_calls: false });
    expect(hosted.prompt.wireFields).toEqual({});
  });

  test("takes null as absent for every optional field", () => {
    const names = [
      "instructions",
      "stream",
      "max_output_tokens",
      "tools",
      "tool_choice",
      "text",
      "reasoning",
    ];
    names.push("include", "temperature", "top_p", "metadata", "user", "truncation", "store", "background");
    names.push("previous_response_id", "conversation", "prompt", "parallel_tool_calls", "service_tier");
    const nulls = Object.fromEntries(names.map((name) => [name, null]));
    expect(decode({ input: "hi", ...nulls }).prompt.messages).toHaveLength(1);
  });
});

describe("a request that needs stored state", () => {
  test.each([{ type: "item_reference", id: "msg_1" }, { id: "msg_1" }, { type: null, id: "rs_1" }])(
    "for the item of an earlier response, %j, is refused with what to send instead",
    (reference) => {
      const user = { role: "user", content: "And why?" };
      const sent = () => decode({ input: [user, reference, user] });
      expect(sent).toThrow(
        expect.objectContaining({
          status: 400,
          message: expect.stringMatching(/^input\[1\]: .*store: false and send the items whole$/),
          options: { field: "input[1]", reason: "item_reference_not_found" },
        }),
      );
    },
  );

  test("for a previous response is refused with the code previous_response_not_found", () => {
    const refused = (() => {
      try {
        return decode({ input: "hi", previous_response_id: "resp_1" });
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toBeInstanceOf(AppError);
    expect(refused).toMatchObject({
      status: 400,
      options: { reason: "previous_response_not_found", field: "previous_response_id" },
    });
  });

  test.each([
    { previous_response_id: "resp_1" },
    { conversation: "conv_1" },
    { conversation: { id: "conv_1" } },
    { background: true },
    { prompt: { id: "pmpt_1" } },
  ])("with %j is refused with what to send instead", (body) => {
    expect(() => decode({ input: "hi", ...body })).toThrow("send the whole input with each of them");
  });

  test("with store: true or background: false is accepted, and neither has an effect", () => {
    const [plain, asked] = [{}, { store: true, background: false }].map((fields) => {
      const { settings, prompt } = decode({ input: "hi", ...fields });
      return { settings, messages: prompt.messages };
    });
    expect(plain?.messages).toHaveLength(1);
    expect(asked).toEqual(plain);
  });
});

describe("an invalid field is refused with its name", () => {
  test.each([
    [{ model: "" }, "model: must be the id or alias"],
    [{ model: 5 }, "model: must be the id or alias"],
    [{ stream: "true" }, "stream: must be true or false"],
    [{ max_output_tokens: 0 }, "max_output_tokens: must be a whole number"],
    [{ temperature: "hot" }, "temperature: must be a number"],
    [{ temperature: 2.1 }, "temperature: must be a number from 0 to 2"],
    [{ top_p: -1 }, "top_p: must be a number from 0 to 1"],
    [{ top_logprobs: 21 }, "top_logprobs: must be a whole number from 0 to 20"],
    [{ instructions: ["x"] }, "instructions: must be a string"],
    [{ reasoning: "low" }, "reasoning: must be an object"],
    [{ reasoning: { effort: 5 } }, "reasoning.effort: must be a string"],
    [{ text: "x" }, "text: must be an object"],
    [
      { text: { format: { type: "xml" } } },
      "text.format.type: must be one of text, json_object, json_schema",
    ],
    [{ text: { format: { type: "json_schema", name: "s" } } }, "text.format.schema: must be a JSON schema"],
    [{ text: { format: { type: "json_schema", schema } } }, "text.format.name: must be a string"],
    [{ include: "x" }, "include: must be a list"],
    [{ include: [5] }, "include: must be a list of strings"],
    [{ truncation: "x" }, "truncation: must be auto or disabled"],
    [{ metadata: { a: 1 } }, "metadata: must be an object whose values are strings"],
    [{ parallel_tool_calls: "x" }, "parallel_tool_calls: must be true or false"],
    [{ background: "x" }, "background: must be true or false"],
  ])("%j", (body, says) => {
    expect(() => decode({ input: "hi", ...body })).toThrow(says);
  });

  test("a body that is not an object is refused", () => {
    for (const body of [null, [], "x", 5]) {
      expect(() => decodeResponseRequest(body, { seals, maxItems: 1 })).toThrow(
        "body: must be a JSON object",
      );
    }
  });
});
