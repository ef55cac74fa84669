import { expect, test } from "bun:test";
import { delta, STOP, wholeOf, wireChunks, wireDeltas } from "../testing.ts";

test.each<[string, object, string]>([
  ["thoughts", { thinking: "hm" }, "hm"],
  ["thoughts beside words", { content: "a", thinking: "hm" }, "hma"],
  [
    "blocks of thoughts",
    { thinking_blocks: [{ type: "thinking", thinking: "hm", signature: "s" }, 5] },
    "hm",
  ],
  [
    "thoughts said twice",
    { reasoning_content: "hm", thinking: "hm", thinking_blocks: [{ thinking: "hm" }] },
    "hm",
  ],
  ["what it spoke", { audio: { id: "x", data: "aGk=", transcript: "hi" } }, "hi"],
  ["a mark beside words", { content: "a", channel: "final" }, "a"],
  ["marks of a server's own", { content: "", name: "MiniMax AI", channel: "final", id: "x", type: "t" }, ""],
  [
    "a proof",
    { thought_signature: "xxxx", images: [{ image_url: { url: "data:image/png;base64,AA" } }] },
    "",
  ],
])("what reaches a client under the name of a single server is counted: %s", (_, fields, written) => {
  const { wire } = wireChunks([delta(fields as Record<string, unknown>), STOP]);
  expect(wire.map((each) => each.written).join("")).toBe(written);
});

test("thoughts beside words are counted in every chunk that looks like the one before", () => {
  const chunks = Array.from({ length: 6 }, (_, at) => delta({ content: `a${at}`, thinking: "hm" }));
  const { wire } = wireChunks([...chunks, STOP]);
  expect(wire.map((each) => each.written).join("")).toBe([0, 1, 2, 3, 4, 5].map((at) => `hma${at}`).join(""));
});

test("of a call whose every delta carries a server's own mark only the call is counted", () => {
  const marked = (fields: object) => delta({ name: "MiniMax AI", tool_calls: [{ index: 0, ...fields }] });
  const { wire } = wireChunks([
    marked({ id: "a", function: { name: "f", arguments: "" } }),
    ...["{", '"a"', ":1}"].map((text) => marked({ function: { arguments: text } })),
    STOP,
  ]);
  expect(wire.map((each) => each.written).join("")).toBe('f{"a":1}');
});

test.each([[5], [true], [{ text: "a" }]])(
  "where clients put texts together %j is left out, and other fields stay",
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
