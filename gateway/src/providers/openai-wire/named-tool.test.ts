import { expect, test } from "bun:test";
import { decodeReply } from "./decode/decode-reply.ts";
import { neutralReading, type Reading, wholeReading, wireReading } from "./reading.ts";
import { expecting } from "./testing.ts";

const CALL = { id: "c", type: "function", function: { name: "look", arguments: "{}" } };
const FORM = { isFirstForm: false };

/** Every way to read an answer: neutral, as chunks of the wire, and whole. */
const readings = (namedTool: boolean): readonly Reading[] => {
  const context = expecting({ namedTool });
  return [neutralReading(context), wireReading(context, FORM), wholeReading(context, FORM)];
};

function endsOf(finish_reason: string, namedTool: boolean, calls: readonly object[]): readonly unknown[] {
  const message = { role: "assistant", content: null, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  const reply = JSON.stringify({ choices: [{ index: 0, message, finish_reason }] });
  return readings(namedTool).map((reading) => {
    const end = decodeReply(reply, reading).at(-1);
    return end?.type === "finish" ? end.reason : null;
  });
}

const all = (reason: string) => [reason, reason, reason];

test.each(["stop", "tool_calls"])(
  "a call of the tool that the request named ends with stop, if the server says %s",
  (word) => {
    expect(endsOf(word, true, [CALL])).toEqual(all("stop"));
    expect(endsOf(word, false, [CALL])).toEqual(all("tool_calls"));
    expect(endsOf(word, false, [])).toEqual(all("stop"));
  },
);

test("length and content_filter stay the finish reason, even if the request named a tool", () => {
  for (const word of ["length", "content_filter"]) expect(endsOf(word, true, [CALL])).toEqual(all(word));
});
