import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { exactTokens } from "../../../bench/exact-tokens.ts";
import { leastTokens } from "../message-size.ts";
import { countedTokens } from "./counted-tokens.ts";
import { estimateTokens } from "./estimate.ts";
import { leastParts, mostParts, tokensHeldFor, tokensOfRare } from "./rare-letters.ts";

/** First code points of blocks of 64 of which o200k knows few, and which were once taken for words. */
const RARE = [
  ...[0x180, 0x1c0, 0x200, 0x240, 0x280, 0x2c0, 0x300, 0x340, 0x700, 0x7c0, 0x800, 0x1200, 0x13c0, 0x1c40],
  ...[0x1d40, 0x1e00, 0x1f80, 0x2080, 0x2100, 0x2200, 0x2280, 0x2340, 0x2440, 0x2540, 0x2640, 0x2780, 0x2840],
  ...[0x29c0, 0x2a40, 0x2c40, 0x2e80, 0x3280, 0x3400, 0x4a00, 0xa000, 0xe000, 0xf080, 0xfe00, 0x10000],
  ...[0x12000, 0x1d400, 0x1f000, 0x1f6c0, 0x20040, 0xe0040, 0xf0040],
];
/** The same for blocks of which it knows most, in widely read scripts. */
const READ = [
  ...[0xc0, 0x100, 0x140, 0x380, 0x400, 0x540, 0x5c0, 0x640, 0x900, 0xe00, 0x1ec0, 0x2000, 0x3040, 0x4e00],
  ...[0x5e00, 0x9000, 0xac00, 0xff00, 0x1f300, 0x1f600],
];

const named = (blocks: readonly number[]) => blocks.map((block) => [block.toString(16), block] as const);

/** Words of this many letters of a block, always the same. */
function wordsOf(block: number, letters: number): string {
  let state = block + letters;
  const letter = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return String.fromCodePoint(block + ((state >> 12) & 63));
  };
  return Array.from({ length: 8 }, () => Array.from({ length: letters }, letter).join("")).join(" ");
}

const said = (content: string) => [{ role: "user", content }] as const;
/** How much a prompt with this text is held for. */
const heldFor = (text: string) => {
  const tokens = estimateTokens(text);
  return Math.max(tokens, leastTokens(said(text), tokens).held) * 1.2;
};

describe("rare letters", () => {
  test.each(named(RARE))(
    "from U+%s on have a hold of at least 78 % of their exact tokens, in words and in runs",
    (_, block) => {
      const run = String.fromCodePoint(block + 17).repeat(40);
      for (const text of [wordsOf(block, 24), wordsOf(block, 5), wordsOf(block, 1), run]) {
        expect(heldFor(text)).toBeGreaterThanOrEqual(exactTokens(text) * 0.78);
      }
    },
  );

  test.each(named([...RARE, ...READ]))(
    "from U+%s on count between 40 % and about 115 % of their exact tokens without a report",
    (_, block) => {
      const text = wordsOf(block, 24);
      const exact = exactTokens(text);
      expect(tokensOfRare(leastParts(text), text.length)).toBeLessThanOrEqual(exact * 1.15);
      expect(countedTokens(text)).toBeGreaterThan(exact * 0.4);
    },
  );
});

test.each(named(READ))("common letters, from U+%s on, are covered by 1.8 times their hold", (_, block) => {
  const text = wordsOf(block, 5);
  expect(heldFor(text) * 1.8).toBeGreaterThan(exactTokens(text));
});

describe("ordinary text is counted by the estimate, and its hold is little more", () => {
  test.each([
    "The quick brown fox jumps over the lazy dog, and nobody minds that it does so once more.",
    "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich, während Öl fließt.",
    "Съешь же ещё этих мягких французских булок, да выпей чаю, и всё будет хорошо.",
    "Tôi có thể ăn thủy tinh mà không hại gì, và điều đó làm mọi người ngạc nhiên.",
    "我能吞下玻璃而不伤身体，这让所有人都感到非常惊讶。",
    "私はガラスを食べられます。それは私を傷つけません。",
    "나는 유리를 먹을 수 있어요. 그래도 아프지 않아요.",
    `${"─".repeat(80)}\n│ name │ size │\n${"─".repeat(80)}\n${"═".repeat(80)}\n${"█".repeat(40)}`,
  ])("%s", (text) => {
    const tokens = estimateTokens(text);
    expect(countedTokens(text)).toBe(tokens);
    const byLength = Math.max(tokens, text.length / 4.8);
    expect(leastTokens(said(text), tokens).held).toBeLessThanOrEqual(byLength * 1.25 + 2);
  });
});

describe("parts of any text", () => {
  const text = fc.string({ unit: "binary", maxLength: 200 });

  test("grow with it, and stay within the limits of its length and bytes", () => {
    fc.assert(
      fc.property(text, text, (one, more) => {
        const parts = leastParts(one);
        const bytes = Buffer.byteLength(one);
        expect(leastParts(one + more)).toBeGreaterThanOrEqual(parts);
        expect(parts).toBeLessThanOrEqual(mostParts(one.length, bytes));
        expect(tokensHeldFor(parts) * 1.2).toBeLessThanOrEqual(bytes + 1.2);
        expect(tokensHeldFor(parts)).toBeGreaterThanOrEqual(one.length / 4.8);
        expect(tokensOfRare(parts, one.length)).toBeLessThanOrEqual(tokensHeldFor(parts));
      }),
    );
  });

  test("count the same with and without the shortcut", () => {
    fc.assert(
      fc.property(text, (one) => {
        const tokens = estimateTokens(one);
        const { held, ofRareLetters } = leastTokens(said(one), 0);
        const least = leastTokens(said(one), tokens);
        expect(Math.max(tokens, least.held)).toBe(Math.max(tokens, held));
        expect(Math.max(tokens, least.ofRareLetters)).toBe(Math.max(tokens, ofRareLetters));
        expect(countedTokens(one)).toBe(Math.max(tokens, ofRareLetters));
      }),
    );
  });
});
