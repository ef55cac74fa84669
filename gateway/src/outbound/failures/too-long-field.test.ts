import { expect, test } from "bun:test";
import { failureOf } from "./failure-of.ts";

const failure = (param: string | null) =>
  failureOf({
    status: 400,
    namesCallersFields: true,
    body: {
      error: {
        message: `Invalid '${param}': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.`,
        type: "invalid_request_error",
        param,
        code: "string_above_max_length",
      },
    },
  });

test.each([
  "tools[0].function.description",
  "tools[0].name",
  "user",
  "metadata.trace",
  "prompt_cache_key",
  "messages[0].name",
  "messages[1].tool_calls[0].id",
  "messages[1].tool_calls[0].function.name",
  "messages[2].tool_call_id",
  "input[1].call_id",
  "input[1].id",
  "input[0].content[1].filename",
])("a text that is too long for its field is rejected, not an overflow: %s", (param) => {
  const { kind, publicMessage, detail } = failure(param);
  expect({ kind, param: detail.param }).toEqual({ kind: "rejected", param });
  expect(publicMessage).toStartWith(`Invalid '${param}': string too long.`);
});

test.each([
  null,
  "messages",
  "messages[0].content",
  "messages[0].content[1].text",
  "messages[1].tool_calls[0].function.arguments",
  "input",
  "input[0].content[0].text",
  "input[2].output",
  "prompt",
  "instructions",
])("a text that is too long in the prompt or an unnamed field is context_overflow: %s", (param) => {
  expect(failure(param).kind).toBe("context_overflow");
});
