import { expect, test } from "bun:test";
import type { ChatMessage } from "../../../contract/index.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { wireBodyFor } from "../testing.ts";

const { "openai-wire": wire, openai, groq } = WIRE_VENDORS;
const audio = { id: "audio_1", data: "AA==", expires_at: 1, transcript: "hello" };
const call = { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };

/** What is sent for an assistant's turn; `neutral` is what the edge reads in it. */
function sent(message: object, neutral: object, vendor = wire) {
  const turn = { role: "assistant", ...neutral } as ChatMessage;
  const body = wireBodyFor({ messages: [{ role: "assistant", ...message }] }, { vendor, neutral: [turn] });
  return (body["messages"] as object[])[0];
}

test("an assistant message with audio is sent with its transcript, without the audio and its id", () => {
  const toolCalls = [{ id: "call_1", name: "f", arguments: "{}" }];
  for (const vendor of [wire, openai, groq]) {
    const said = { role: "assistant", content: "hello" };
    expect(sent({ content: null, audio }, { content: "hello" }, vendor)).toEqual(said);
    const calling = sent(
      { content: null, audio, tool_calls: [call] },
      { content: "hello", toolCalls },
      vendor,
    );
    expect(calling).toEqual({ ...said, tool_calls: [call] });
    const mute = sent({ audio: { id: "audio_1" } }, { content: null }, vendor);
    expect(mute).toEqual({ role: "assistant", content: "" });
  }
});

test("a legacy function_call message is sent without its audio", () => {
  const first = { content: null, function_call: { name: "f" } };
  expect(sent({ ...first, audio }, { content: null })).toEqual({ role: "assistant", ...first });
});
