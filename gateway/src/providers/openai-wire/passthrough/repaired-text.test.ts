import { expect, test } from "bun:test";
import { delta, STOP, wholeOf, wireChunks, wireDeltas } from "../testing.ts";

test.each<[string, object, string]>([
  ["reasoning", { thinking: "hm" }, "hm"],
  ["reasoning beside text", { content: "a", thinking: "hm" }, "hma"],
  [
    "blocks of reasoning",
    { thinking_blocks: [{ type: "thinking", thinking: "hm", signature: "s" }, 5] },
    "hm",
  ],
  [
    "reasoning sent twice",
    { reasoning_content: "hm", thinking: "hm", thinking_blocks: [{ thinking: "hm" }] },
    "hm",
  ],
  ["an audio transcript", { audio: { id: "x", data: "aGk=", transcript: "hi" } }, "hi"],
  ["text, not a mark beside it", { content: "a", channel: "final" }, "a"],
  [
    "nothing of a server's own fields",
    { content: "", name: "MiniMax AI", channel: "final", id: "x", type: "t" },
    "",
  ],
  [
    "nothing of a signature or an image",
    { thought_signature: "xxxx", images: [{ image_url: { url: "data:image/png;base64,AA" } }] },
    "",
  ],
])("text in fields of single vendors counts as written: %s", (_, fields, written) => {
  const { wire } = wireChunks([delta(fields as Record<string, unknown>), STOP]);
  expect(wire.map((each) => each.written).join("")).toBe(written);
});

test("reasoning beside text counts in every chunk of one shape", () => {
  const chunks = Array.from({ length: 6 }, (_, at) => delta({ content: `a${at}`, thinking: "hm" }));
  const { wire } = wireChunks([...chunks, STOP]);
  expect(wire.map((each) => each.written).join("")).toBe([0, 1, 2, 3, 4, 5].map((at) => `hma${at}`).join(""));
});

test("only the call counts if every delta repeats a server's own field", () => {
  const marked = (fields: object) => delta({ name: "MiniMax AI", tool_calls: [{ index: 0, ...fields }] });
  const { wire } = wireChunks([
    marked({ id: "a", function: { name: "f", arguments: "" } }),
    ...["{", '"a"', ":1}"].map((text) => marked({ function: { arguments: text } })),
    STOP,
  ]);
  expect(wire.map((each) => each.written).join("")).toBe('f{"a":1}');
});

test.each([[5], [true], [{ text: "a" }]])(
  "%j in place of text is left out, and other fields stay",
  (wrong) => {
    const words = { refusal: wrong, reasoning_content: wrong, reasoning: wrong };
    expect(wireDeltas([delta({ content: "a" }), delta({ ...words, audio: 5 }), STOP])).toEqual([
      { role: "assistant", content: "a" },
      { audio: 5 },
      {},
    ]);
    expect(wholeOf({ choices: [{ message: words, finish_reason: "stop" }] })["choices"]).toMatchObject([
      { message: { content: null, refusal: null } },
    ]);
  },
);
