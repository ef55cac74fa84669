import { expect, test } from "bun:test";
import { neutralReading } from "../reading.ts";
import { responseReading } from "../responses/response-reading.ts";
import { expecting } from "../testing.ts";
import { decodeReply } from "./decode-reply.ts";

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

const item = `{"type":"function_call","id":"f","call_id":"c","name":"open","arguments":${ARGUMENTS}}`;
const response = (output: string) => `{"object":"response","status":"completed","output":[${output}]}`;
const events = (output: string) =>
  [
    `{"type":"response.output_item.added","item":{"type":"function_call","id":"f","call_id":"c","name":"open"}}`,
    `{"type":"response.function_call_arguments.done","item_id":"f","arguments":${ARGUMENTS}}`,
    `{"type":"response.output_item.done","item":${item}}`,
    `{"type":"response.completed","response":${response(output)}}`,
  ].map((data) => `data: ${data}\n\n`);

test.each([
  ["in one piece", response(item)],
  ["of a stream that says them at its end", events(item).join("")],
  ["of a stream whose end is empty", events("").join("")],
])("and are the text of a response's item: %s", (_, text) => {
  const told = decodeReply(text, responseReading(expecting()));
  expect(told.at(-1)).toMatchObject({ whole: { output: [{ arguments: ARGUMENTS }] } });
  for (const event of told) {
    if (event.type !== "wire" || !event.members.includes("1234")) continue;
    expect(event.members).toContain(JSON.stringify(ARGUMENTS));
  }
});
