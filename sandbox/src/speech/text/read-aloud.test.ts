import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../../test/fastest.ts";
import { MAX_UTTERANCE_CHARACTERS } from "../flite.ts";
import { readAloud, saidText } from "./read-aloud.ts";

const SAID: readonly (readonly [written: string, said: string])[] = [
  ["On 2026-11-15 at 14:30.", "On November fifteenth, twenty twenty six, at fourteen thirty."],
  ["Nov. 3rd, 2024 at 3pm.", "November third, twenty twenty four, at three p m."],
  [
    "31/12/1999 and 12/31/1999",
    "December thirty first, nineteen ninety nine, and December thirty first, nineteen ninety nine,",
  ],
  ["In 1905 and the 1980s.", "In nineteen oh five and the nineteen eighties."],
  [
    "It cost $5.20, €1,234.50, £1 or $3.5 million.",
    "It cost five dollars and twenty cents, one thousand two hundred thirty four euros and fifty cents, one pound or three point five million dollars.",
  ],
  [
    "3.5kg at -5°C, 90 km/h, 10 m², 50%",
    "three point five kilograms at minus five degrees Celsius, ninety kilometers per hour, ten square meters, fifty percent",
  ],
  [
    "1,234,567 and 3.14 and 007",
    "one million two hundred thirty four thousand five hundred sixty seven and three point one four and zero zero seven",
  ],
  [
    "5-10 items, 1/2 cup, 3 1/4, 16:9, the 2nd",
    "five to ten items, one half cup, three and one quarter, sixteen to nine, the second",
  ],
  ["Version 1.2.3, v2.0", "Version one point two point three, version two point zero"],
  ["Call (555) 123-4567.", "Call five five five, one two three, four five six seven."],
  ["Dr. Smith vs. Mr. Jones, etc.", "doctor Smith versus mister Jones, et cetera."],
  ["Henry VIII and World War II", "Henry the eighth and World War two"],
  ["See https://example.com/docs?x=1.", "See example dot com slash docs."],
  ["Mail a.b@c.org now", "Mail a dot b at c dot org now"],
  ["The JSON API of NASA", "The jason A P I of nasa"],
  ["THIS IS A VERY LOUD SENTENCE", "this is a very loud sentence"],
  ["5+3=8 & more", "five plus three equals eight and more"],
  ["**Bold** and `code` and [link](http://a.b/c)", "Bold and code and link"],
  ["- one\n- two", "one.\ntwo."],
  ["Well 🎉 done 👍🏽!", "Well done!"],
  ["café Straße Łódź Müller", "cafe Strasse Lodz Muller"],
  ["Привет, мир!", "preevet, meer!"],
  ["Καλημέρα κόσμε", "kaleemera kosme"],
  ["こんにちは", "konneecheewa"],
  ["안녕하세요", "annyunghahsehyoh"],
  ["你好，世界！", "nee how, shur jyeh!"],
  ["नमस्ते", "namastay"],
  ["שלום", "shalom"],
  ["สวัสดีชาวโลก", "some words in Thai,"],
  ["½ and 2½", "one half and two and one half"],
];

describe("reading aloud", () => {
  test.each([...SAID])("%s", (written, said) => {
    expect(saidText(written)).toBe(said);
  });

  test.each(["", "...", "🎉🎉", "\u0000\u200b", "—"])(
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
