import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countedTokens, estimateTokens } from "../../../../compaction/src/index.ts";
import { type ChatAnswer, createChatAnswer, MAX_ANSWER_CHARACTERS } from "./chat-answer.ts";
import { createOverspendGuard } from "./overspend-guard.ts";

const PROSE = "The quick brown fox jumps over the lazy dog. ";

function write(answer: ChatAnswer, text: string): void {
  answer.add({ target: "sandbox/sandbox-chat", events: [{ type: "text", text }] });
}

/** Characters delivered until the guard cuts, or null if it lets everything pass. */
function cutAt(pieces: readonly string[], maxOutputTokens: number): number | null {
  const answer = createChatAnswer();
  const isOverspent = createOverspendGuard(maxOutputTokens);
  for (const piece of pieces) {
    write(answer, piece);
    if (isOverspent(answer)) return answer.characters;
  }
  return null;
}

describe("the overspend guard", () => {
  test("never cuts an answer within its limit, however it is split", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 200 }), { maxLength: 60 }), (pieces) => {
        expect(cutAt(pieces, estimateTokens(pieces.join("")))).toBeNull();
      }),
    );
  });

  test.each([
    ["prose", PROSE],
    ["ideographs", "汉字漢字"],
    ["line breaks", "a\n"],
    ["rulers", "-=-="],
    ["letters that are several tokens each", "ቀቀቀቀ"],
  ])("cuts an endless answer of %s at most an eighth beyond its allowance", (_, text) => {
    for (const maxOutputTokens of [1, 10, 30, 100, 300, 3_000]) {
      const allowedTokens = maxOutputTokens * 1.5 + 64;
      const pieces = Array.from({ length: 10_000 }, () => text);
      const at = cutAt(pieces, maxOutputTokens) ?? Number.POSITIVE_INFINITY;
      const delivered = Math.min(countedTokens(text.repeat(at / text.length)), at);
      expect(delivered).toBeGreaterThan(allowedTokens);
      expect(delivered).toBeLessThanOrEqual(1.125 * allowedTokens + countedTokens(text));
    }
  });

  test("passes an answer of exactly its allowance, and cuts one with a token more", () => {
    const allowedTokens = 10 * 1.5 + 64;
    const lengths = Array.from({ length: 1_000 }, (_, at) => at);
    const ofTokens = (tokens: number) =>
      PROSE.repeat(25).slice(
        0,
        lengths.find((at) => countedTokens(PROSE.repeat(25).slice(0, at)) === tokens),
      );
    expect(cutAt([ofTokens(allowedTokens)], 10)).toBeNull();
    expect(cutAt([ofTokens(allowedTokens + 1)], 10)).toBeGreaterThan(allowedTokens);
  });

  test("never cuts an answer with at most as many letters as its limit, even if we count more tokens", () => {
    const pieces = Array.from({ length: 2_040 }, () => "ቀ");
    expect(cutAt(pieces, pieces.length)).toBeNull();
  });

  test("cuts an answer of more than MAX_ANSWER_CHARACTERS, however few tokens that is", () => {
    const answer = createChatAnswer();
    const isOverspent = createOverspendGuard(1_000_000_000);
    write(answer, " ".repeat(MAX_ANSWER_CHARACTERS));
    expect(isOverspent(answer)).toBe(false);
    write(answer, " ");
    expect(isOverspent(answer)).toBe(true);
  });

  test.each([
    ["at most four times for an answer within its limit", PROSE, 20_000, 4],
    ["at most nine times for a long answer of few tokens", " ", 10, 9],
  ])("rarely reads the whole text: %s", (_, text, maxOutputTokens, passes) => {
    const answer = createChatAnswer();
    let read = 0;
    const watched = {
      get characters() {
        return answer.characters;
      },
      get written() {
        read += answer.characters;
        return answer.written;
      },
    } as ChatAnswer;
    const isOverspent = createOverspendGuard(maxOutputTokens);
    for (let i = 0; i < 2_000; i++) {
      write(answer, text);
      expect(isOverspent(watched)).toBe(false);
    }
    expect(read).toBeWithin(answer.characters, passes * answer.characters + 1);
  });
});
