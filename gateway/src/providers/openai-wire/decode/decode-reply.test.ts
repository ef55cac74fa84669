import { describe, expect, test } from "bun:test";
import { MAX_FOREIGN_VALUES } from "../../../kit/index.ts";
import { neutralReading } from "../reading.ts";
import { expecting } from "../testing.ts";
import { decodeReply } from "./decode-reply.ts";

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const reply = (message: unknown, more = {}) =>
  JSON.stringify({
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: "stop", ...more }],
    usage,
  });

const MANY = `[${"{},".repeat(MAX_FOREIGN_VALUES / 6)}{}]`;
const NESTED = "[".repeat(1_000) + "]".repeat(1_000);

const answer = [
  { type: "text", text: "Hi" },
  { type: "finish", reason: "stop", usage: { inputTokens: 3, outputTokens: 2 } },
];

describe("a reply whose content type is not a stream", () => {
  test.each([
    ["is JSON", reply({ role: "assistant", content: "Hi" })],
    ["is JSON after keep-alive whitespace", `\n      \n\n   ${reply({ content: "Hi" })}`],
    ["is JSON with an empty delta beside the message", reply({ content: "Hi" }, { delta: { content: "" } })],
  ])("%s", (_, text) => {
    expect(decodeReply(text, neutralReading(expecting()))).toEqual(answer as never);
  });

  test.each([
    ["nothing", ""],
    ["an HTML page", "<!doctype html><title>Welcome</title>"],
    ["half a reply", '{"choices":[{"index":0'],
    ["a list", "[]"],
    ["an unrelated object", '{"status":"ok"}'],
    ["an empty list of choices", '{"choices":[]}'],
    ["a null message", reply(null)],
    ["a choice without a message", reply(undefined)],
    ["a message that is text", reply("Hi")],
    ["content that is an object", reply({ content: { a: 1 } })],
    ["content that is a number", reply({ content: 5 })],
    ["nested too deeply", `{"more":${NESTED},${reply({ content: "Hi" }).slice(1)}`],
    ["made of too many values", `{"more":${MANY},${reply({ content: "Hi" }).slice(1)}`],
  ])("that is %s fails as unavailable", (_, text) => {
    expect(() => decodeReply(text, neutralReading(expecting()))).toThrow(/^unavailable/);
  });

  test("may have no text, and no message if its finish reason is content_filter or length", () => {
    const finishOf = (text: string) => decodeReply(text, neutralReading(expecting()));
    expect(finishOf(reply({ content: null }))).toMatchObject([{ type: "finish", reason: "stop" }]);
    expect(finishOf(reply({ role: "assistant" }))).toMatchObject([{ type: "finish", reason: "stop" }]);
    for (const reason of ["content_filter", "length"]) {
      const none = reply(null, { finish_reason: reason });
      expect(finishOf(none)).toMatchObject([{ type: "finish", reason }]);
    }
  });

  test("that is an error object fails with that error, despite status 200", () => {
    const error = JSON.stringify({ error: { message: "No such tool", type: "invalid_request_error" } });
    expect(() => decodeReply(error, neutralReading(expecting()))).toThrow("rejected: No such tool");
  });

  test("may contain several choices", () => {
    const choices = [1, 0].map((index) => ({
      index,
      message: { content: `${index}` },
      finish_reason: "stop",
    }));
    expect(
      decodeReply(JSON.stringify({ choices }), neutralReading(expecting({ n: 2 }))).at(-1),
    ).toMatchObject({
      reasons: ["stop", "stop"],
    });
  });
});
