import { expect, test } from "bun:test";
import type { ChatMessage } from "../../../contract/index.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { wireBodyFor } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";

const { openai, mistral, deepseek, groq, cerebras } = WIRE_VENDORS;
const wire = WIRE_VENDORS["openai-wire"];
const call = { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };

/** What is sent for a client's message, which the edge reads as text, with or without a call. */
function sent(message: object, vendor: WireVendor, neutral: ChatMessage) {
  const body = wireBodyFor({ messages: [message] }, { vendor, neutral: [neutral] });
  return (body["messages"] as Record<string, unknown>[])[0];
}

const turn = ({ content }: { content: string }): ChatMessage => ({
  ...{ role: "assistant", content },
  toolCalls: [{ id: "call_1", name: "f", arguments: "{}" }],
});

test("a refusal is sent once: as refusal if the vendor knows that, else as content", () => {
  const refusing = { role: "assistant", content: null, refusal: "No." };
  const calling = { ...refusing, tool_calls: [call] };
  for (const vendor of [wire, openai])
    expect(sent(calling, vendor, turn({ content: "No." }))).toEqual(calling);
  expect(sent({ ...calling, content: [] }, wire, turn({ content: "No." }))).toEqual(calling);
  const { refusal: _, ...told } = { ...calling, content: "No." };
  expect(sent(calling, groq, turn({ content: "No." }))).toEqual(told);
  expect(sent(refusing, groq, { role: "assistant", content: "No." })).toEqual({
    role: "assistant",
    content: "No.",
  });
});

test("a refusal part is sent as text to a vendor that knows no refusals", () => {
  const content = [{ type: "refusal", refusal: "No." }];
  const text = [{ type: "text", text: "No." }];
  const refusing = { role: "assistant", content };
  const calling = { ...refusing, tool_calls: [call] };
  for (const [vendor, told] of [
    [wire, content],
    [openai, content],
    [groq, "No."],
    [deepseek, "No."],
    [mistral, text],
    [cerebras, text],
  ] as const) {
    expect(sent(calling, vendor, turn({ content: "No." }))).toMatchObject({ content: told });
    expect(sent(refusing, vendor, { role: "assistant", content: "No." })).toMatchObject({ content: told });
  }
});
