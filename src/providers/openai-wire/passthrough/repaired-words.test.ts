import { expect, test } from "bun:test";
import { delta, STOP, wholeOf, wireDeltas } from "../testing.ts";

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
