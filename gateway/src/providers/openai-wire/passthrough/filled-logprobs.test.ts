import { expect, test } from "bun:test";
import { delta, STOP, wholeOf, wireChunks } from "../testing.ts";

const rare = { token: "b", logprob: -4 };
const sure = { token: "c", logprob: 0 };
const logprobs = { content: [{ token: "a", logprob: -0.1, top_logprobs: [rare] }, sure], kept: 1 };
const filled = {
  content: [
    { token: "a", logprob: -0.1, bytes: null, top_logprobs: [{ ...rare, bytes: null }] },
    { ...sure, bytes: null, top_logprobs: [] },
  ],
  refusal: null,
  kept: 1,
};

test("fields missing in log probabilities are filled in, in a stream and in one piece", () => {
  const [told] = wireChunks([delta({ content: "a" }, { logprobs }), STOP]).chunks;
  const whole = wholeOf({ choices: [{ message: { content: "a" }, logprobs, finish_reason: "stop" }] });
  for (const said of [told, whole]) expect(said).toMatchObject({ choices: [{ logprobs: filled }] });
});
