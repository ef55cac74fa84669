import { expect, test } from "bun:test";
import { decodeReply } from "./decode-reply.ts";
import { neutralReading } from "./reading.ts";
import { expecting } from "./testing.ts";

const ARGUMENTS = '{"id":1234567890123456789,"arguments":{"ids":[1234567890123456789]}}';
const call = `"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"open","arguments": ${ARGUMENTS}}}]`;
const reply = (said: string) =>
  `{"created":1700000000000000000,"choices":[{"index":0,${said},"finish_reason":"tool_calls"}],"usage":null}`;

test.each([
  ["a whole reply", reply(`"message":{"content":null,${call}}`)],
  ["a stream", `data: ${reply(`"delta":{${call}}`)}\n\ndata: [DONE]\n\n`],
  [
    "the older form",
    reply(`"message":{"content":null,"function_call":{"name":"open","arguments":${ARGUMENTS}}}`),
  ],
])("arguments that come as an object keep every digit: %s", (_, text) => {
  expect(decodeReply(text, neutralReading(expecting()))).toMatchObject([
    { type: "tool_start", name: "open" },
    { type: "tool_arguments", text: ARGUMENTS },
    { type: "finish", reason: "tool_calls" },
  ]);
});
