import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../../test/fastest.ts";
import { MAX_UTTERANCE_CHARACTERS } from "../flite.ts";
import { readAloud, saidText } from "./read-aloud.ts";

const SAID: readonly (readonly [written: string, said: string])[] = [
  ["Welcome aboard. The ferry leaves in ten minutes.", "Welcome aboard. The ferry leaves in ten minutes."],
  [
    "Good morning. The meeting on March 3rd is at 10:30, and lunch costs $12.50.",
    "Good morning. The meeting on March third is at ten thirty, and lunch costs twelve dollars fifty.",
  ],
  [
    "1,234 and 3.14 and 007",
    "one thousand two hundred thirty four and three point one four and zero zero seven",
  ],
  ["Dr. Smith & Mr. Jones, 50%", "doctor Smith and mister Jones, fifty percent"],
  ["5+3=8 at 9:00", "five plus three equals eight at nine o'clock"],
  ["**Bold** and `code`", "Bold and code"],
  ["- one\n- two", "one.\ntwo."],
  ["# Head\nText", "Head\n\nText"],
  ["Well 🎉 done 👍🏽!", "Well done!"],
  ["café Straße", "cafe Strasse"],
  ["See https://example.com.", "See example.com."],
  ["Hello, мир!", "Hello!"],
];

describe("reading aloud", () => {
  test.each([...SAID])("%s", (written, said) => {
    expect(saidText(written)).toBe(said);
  });

  test.each(["", "...", "🎉🎉", "\u0000\u200b", "—", "你好"])(
    "a text that cannot be read becomes a sentence that says so: %j",
    (text) => {
      expect(readAloud(text).map((sentence) => sentence.text)).toEqual([
        "There is nothing here that I can read aloud.",
      ]);
    },
  );

  test("the pause after a paragraph is longer than after a sentence", () => {
    const [first, second, third] = readAloud("One. Two:\n\nThree.");
    expect(first?.pauseMs).toBeGreaterThan(100);
    expect(second?.pauseMs).toBeGreaterThan(first?.pauseMs ?? 0);
    expect(third?.text).toBe("Three.");
  });

  test("any text becomes sentences of plain letters and of bounded length", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "$1,2",
        "http://",
        "1.",
        "²",
        "-",
        "A.B.",
        "漢字",
        "ก",
        "1/2",
        "12:60",
        "…",
        "\n\n",
        "@",
        "é",
        "٣",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const sentences = readAloud(pieces.join(" "));
        expect(sentences.length).toBeGreaterThan(0);
        for (const { text, pauseMs } of sentences) {
          expect(text).toMatch(/^[A-Za-z' ,.;:?!-]+$/);
          expect(text).toMatch(/[A-Za-z]/);
          expect(text.length).toBeLessThanOrEqual(MAX_UTTERANCE_CHARACTERS);
          expect(pauseMs).toBeGreaterThan(0);
        }
      }),
    );
  });

  test.each([
    "(",
    "1",
    "a.",
    "- ",
    "[",
    "1,",
    "A",
    "é",
    "ก ",
    "a@",
    "1-",
    "<a",
    " ",
    "|",
    "1 ",
    "#a ",
    "1:1",
    "\n",
    "$1",
    "漢",
    "&",
    "1/",
    "'-",
    " \u200b",
    "000,",
    "#",
    ". ",
    "%",
  ])("5,000 characters of %j are read within 150 ms", (unit) => {
    expect(fastestMs(() => readAloud(unit.repeat(5000 / unit.length)), 3, 150)).toBeLessThan(150);
    // The text ends unlike it began, so that every position is tried.
    expect(fastestMs(() => readAloud(`# ${unit.repeat(5000 / unit.length)}x`), 3, 150)).toBeLessThan(150);
  });

  test.each([" \u200b", "000,", "#"])("31,000 characters of %j are read within 150 ms", (unit) => {
    const text = `# ${unit.repeat(31_000 / unit.length)}x`;
    expect(fastestMs(() => readAloud(text), 3, 150)).toBeLessThan(150);
  });
});
