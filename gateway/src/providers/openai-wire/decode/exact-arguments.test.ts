import { expect, spyOn, test } from "bun:test";
import { MOST_EXACT_VALUES } from "../../../kit/index.ts";
import { neutralReading } from "../reading.ts";
import { responseReading } from "../responses/response-reading.ts";
import { decodeChunks, expecting, streamed } from "../testing.ts";
import { decodeReply } from "./decode-reply.ts";

const ARGUMENTS = '{"id":1234567890123456789,"arguments":{"ids":[1234567890123456789]}}';
const call = `"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"open","arguments": ${ARGUMENTS}}}]`;
const reply = (said: string) =>
  `{"created":1700000000000000000,"choices":[{"index":0,${said},"finish_reason":"tool_calls"}],"usage":null}`;

const older = `"function_call":{"name":"open","arguments":${ARGUMENTS}}`;
const whole = (text: string) => decodeReply(text, neutralReading(expecting()));

test.each([
  ["a whole reply", whole(reply(`"message":{"content":null,${call}}`))],
  ["a stream", decodeChunks([reply(`"delta":{${call}}`), "[DONE]"])],
  ["the legacy function_call form", whole(reply(`"message":{"content":null,${older}}`))],
])("arguments that come as an object keep every digit: %s", (_, told) => {
  expect(told).toMatchObject([
    { type: "tool_start", name: "open" },
    { type: "tool_arguments", text: ARGUMENTS },
    { type: "finish", reason: "tool_calls" },
  ]);
});

const item = `{"type":"function_call","id":"f","call_id":"c","name":"open","arguments":${ARGUMENTS}}`;
const response = (output: string) => `{"object":"response","status":"completed","output":[${output}]}`;
const streamedBefore = (output: string) => {
  const { wire, finish } = streamed(responseReading(expecting()), [
    `{"type":"response.output_item.added","item":{"type":"function_call","id":"f","call_id":"c","name":"open"}}`,
    `{"type":"response.function_call_arguments.done","item_id":"f","arguments":${ARGUMENTS}}`,
    `{"type":"response.output_item.done","item":${item}}`,
    `{"type":"response.completed","response":${response(output)}}`,
  ]);
  return [...wire, finish];
};

test.each([
  ["in one piece", 0, decodeReply(response(item), responseReading(expecting()))],
  ["of a stream whose final response contains them", 3, streamedBefore(item)],
  ["of a stream whose final response has no output", 3, streamedBefore("")],
])("arguments of a response's item that come as an object become text with every digit: %s", (...row) => {
  const [, eventsWithThem, told] = row;
  expect(told.at(-1)).toMatchObject({ whole: { output: [{ arguments: ARGUMENTS }] } });
  const pieces = told.flatMap((event) => (event.type === "wire" ? [event.members] : []));
  const withArguments = pieces.filter((members) => members.includes("1234"));
  expect(withArguments).toHaveLength(eventsWithThem);
  for (const members of withArguments) expect(members).toContain(JSON.stringify(ARGUMENTS));
});

test("the digits of arguments are not looked for in an answer with far more values than calls have", () => {
  const parse = spyOn(JSON, "parse");
  const withReader = (values: number) => {
    parse.mockClear();
    whole(reply(`"message":{"content":null,"more":[${"0,".repeat(values)}0],${call}}`));
    return parse.mock.calls.filter(([, reader]) => reader !== undefined).length;
  };
  try {
    expect(withReader(MOST_EXACT_VALUES / 2)).toBe(1);
    expect(withReader(MOST_EXACT_VALUES)).toBe(0);
  } finally {
    parse.mockRestore();
  }
});
