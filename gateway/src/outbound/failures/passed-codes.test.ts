import { describe, expect, test } from "bun:test";
import { failureOf } from "./failure-of.ts";

describe("the code that clients of OpenAI's wire know", () => {
  const codeOf = (status: number, error: object) => failureOf({ status, body: { error } }).detail.code;

  test.each([
    [{ code: "content_policy_violation", type: "image_generation_user_error" }, "content_policy_violation"],
    [{ code: "Unsupported_Value", type: "invalid_request_error", param: "temperature" }, "unsupported_value"],
    [{ code: "400", metadata: { raw: '{"error":{"code":"invalid_prompt"}}' } }, "invalid_prompt"],
    [{ type: "content_filter", innererror: { code: "ResponsibleAIPolicyViolation" } }, "content_filter"],
    [{ code: "string_above_max_length", param: "tools[0].name" }, "string_above_max_length"],
  ])("is kept of a rejection: %j", (error, code) => {
    expect(codeOf(400, { message: "x", ...error })).toBe(code);
  });

  test.each([
    [400, { code: "our_own_cluster_7", type: "invalid_request_error" }],
    [400, { code: "invalid_api_key", type: "invalid_prompt" }],
    [400, { code: "context_length_exceeded", type: "invalid_prompt" }],
    [500, { code: "invalid_prompt" }],
    [429, { code: "content_filter" }],
  ])("is not made of %i %j", (status, error) => {
    expect(codeOf(status, { message: "x", ...error })).toBeUndefined();
  });
});
