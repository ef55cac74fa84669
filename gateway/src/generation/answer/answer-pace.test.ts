import { expect, test } from "bun:test";
import { createAnswerPace } from "./answer-pace.ts";

const setup = () => createAnswerPace({ firstByteMs: 120_000 });

test("an unknown model may answer in one piece what a good provider writes within the first-byte timeout", () => {
  expect(setup().tokensInOnePiece("m")).toBe(8_192);
  expect(createAnswerPace({ firstByteMs: 15_000 }).tokensInOnePiece("m")).toBe(1_030);
});

test("a slower model may write less in one piece, and no model more than 8,192 tokens", () => {
  const pace = setup();
  pace.learn("m", 900, 15_100);
  expect(pace.tokensInOnePiece("m")).toBe(4_800);
  expect(pace.tokensInOnePiece("other")).toBe(8_192);
  for (let at = 0; at < 20; at++) pace.learn("m", 900, 3_100);
  expect(pace.tokensInOnePiece("m")).toBe(8_192);
});

test("a single slow long answer lowers the limit immediately", () => {
  const pace = setup();
  pace.learn("m", 14, 2);
  pace.learn("m", 2_080, 130_000);
  expect(pace.tokensInOnePiece("m")).toBe(1_280);
  pace.learn("m", 400, 100_000);
  expect(pace.tokensInOnePiece("m")).toBe(320);
});

test("the time of an answer of few tokens neither lowers nor raises the limit", () => {
  const pace = setup();
  pace.learn("m", 1, 900);
  pace.learn("m", 0, 900);
  expect(pace.tokensInOnePiece("m")).toBe(8_192);
  pace.learnTimeout("m");
  for (let at = 0; at < 20; at++) pace.learn("m", 63, 101);
  expect(pace.tokensInOnePiece("m")).toBe(0);
  pace.learn("m", 640, 160_100);
  for (let at = 0; at < 20; at++) pace.learn("m", 1, 100);
  expect(pace.tokensInOnePiece("m")).toBe(80);
});

test("after a timeout nothing is requested in one piece until a longer answer shows a better pace", () => {
  const pace = setup();
  pace.learnTimeout("m");
  expect(pace.tokensInOnePiece("m")).toBe(0);
  pace.learn("m", 500, 10_100);
  expect(pace.tokensInOnePiece("m")).toBe(1_000);
});
