import { describe, expect, test } from "bun:test";
import { neutralReading } from "./reading.ts";
import { decodeChunks, delta, expecting, STOP, wholeOf, wireChunks, wireDeltas } from "./testing.ts";

const BLOCKS = [
  { type: "thinking", thinking: "so " },
  { type: "thinking", thinking: "what" },
];

describe("reasoning under vendor-specific names", () => {
  test.each<[string, Record<string, unknown>, string]>([
    ["thinking", { thinking: "hm" }, "hm"],
    ["thinking_blocks", { thinking_blocks: BLOCKS }, "so what"],
    ["both", { thinking: "so what", thinking_blocks: BLOCKS }, "so what"],
    [
      "both, and reasoning_content",
      { reasoning_content: "hm", thinking: "no", thinking_blocks: BLOCKS },
      "hm",
    ],
  ])("is reported once by every reader: %s", (_, fields, thought) => {
    const told = [
      { type: "reasoning", text: thought },
      { type: "text", text: "a" },
    ];
    const chunks = [delta(fields), delta({ content: "a" }), STOP];
    expect(decodeChunks(chunks).slice(0, -1)).toEqual(told as never);
    expect(wireChunks(chunks).wire[0]?.written).toBe(thought);
    const said = { role: "assistant", ...fields, reasoning_content: thought };
    expect(wireDeltas(chunks)[0]).toEqual(said);
    const reply = { choices: [{ index: 0, message: { ...fields, content: "a" }, finish_reason: "stop" }] };
    expect(neutralReading(expecting()).whole(reply).slice(0, -1)).toEqual(told as never);
    const [whole] = wholeOf(reply)["choices"] as { message: object }[];
    expect(whole?.message).toMatchObject({ ...fields, reasoning_content: thought });
  });

  test("is read from the summary of a reasoning part", () => {
    const part = (text: string, signature: string) => ({
      type: "reasoning",
      summary: [{ type: "summary_text", text, signature }],
    });
    const chunks = [
      delta({ content: [part("so ", "")] }),
      delta({ content: [part("what", "s")] }),
      delta({ content: "a" }),
      STOP,
    ];
    expect(decodeChunks(chunks).slice(0, -1)).toEqual([
      { type: "reasoning", text: "so " },
      { type: "reasoning", text: "what" },
      { type: "text", text: "a" },
    ]);
    expect(wireDeltas(chunks).map((each) => each["reasoning_content"])).toEqual([
      "so ",
      "what",
      undefined,
      undefined,
    ]);
    const content = [part("so what", "s"), { type: "text", text: "a" }];
    const reply = wholeOf({ choices: [{ index: 0, message: { content }, finish_reason: "stop" }] });
    expect(reply["choices"]).toMatchObject([{ message: { content: "a", reasoning_content: "so what" } }]);
  });

  test("is ignored if it is not text", () => {
    for (const fields of [{ thinking: true }, { thinking: {} }, { thinking_blocks: "x" }, { thinking: "" }])
      expect(decodeChunks([delta({ ...fields, content: "a" }), STOP])).toHaveLength(2);
  });
});
