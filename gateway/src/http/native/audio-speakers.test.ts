import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AppError } from "../../kit/index.ts";
import { spokenLines } from "./audio-speakers.ts";

const VOICES = ["ava", "ben", "clara", "dan"];

function read(prompt: string, speakers: readonly string[] = [], voice: string | null = null) {
  return spokenLines({ prompt, speakers, voice, voices: VOICES }).map((line) => [line.voice, line.text]);
}

describe("without speakers", () => {
  test("the prompt is read as one piece, including its colons", () => {
    expect(read("Anna: Hello.\nBob: Hi.", [], "ben")).toEqual([["ben", "Anna: Hello.\nBob: Hi."]]);
    expect(read("  Hello.  ")).toEqual([[null, "Hello."]]);
  });
});

describe("with speakers", () => {
  test("the first name gets the first voice, the second name the second, and both keep their voices", () => {
    expect(read("Anna: Hello.\nBob: Hi.\nanna: Bye.", ["clara", "dan"])).toEqual([
      ["clara", "Hello."],
      ["dan", "Hi."],
      ["clara", "Bye."],
    ]);
  });

  test("Name=voice assigns a voice, and the other names get the remaining voices", () => {
    expect(read("Anna: One.\nBob: Two.\nCarl: Three.", ["ava", "Bob = dan", "ben"])).toEqual([
      ["ava", "One."],
      ["dan", "Two."],
      ["ben", "Three."],
    ]);
  });

  test("a speaker whose name is a voice gets that voice", () => {
    expect(read("Ben: One.\nAva: Two.", ["ava", "ben"])).toEqual([
      ["ben", "One."],
      ["ava", "Two."],
    ]);
  });

  test("a speaker given only by name gets an unused voice of the model", () => {
    expect(read("Anna: One.\nBob: Two.", ["Anna", "Bob"])).toEqual([
      ["ava", "One."],
      ["ben", "Two."],
    ]);
    expect(read("Anna: One.\nBob: Two.", ["Bob=ava", "Anna"])).toEqual([
      ["ben", "One."],
      ["ava", "Two."],
    ]);
  });

  test("a line without a name continues in the same voice, and in `voice` before the first name", () => {
    expect(read("A story.\nAnna: One.\nstill one\n\nBob: Two.", ["ava", "ben"], "dan")).toEqual([
      ["dan", "A story."],
      ["ava", "One.\nstill one"],
      ["ben", "Two."],
    ]);
  });

  test("a name for which there is no voice, a time and a URL are read as text", () => {
    const text = "Anna: One.\nNote: two\n12:30 is three\nhttps://example.com: four";
    expect(read(text, ["ava"])).toEqual([
      ["ava", "One.\nNote: two\n12:30 is three\nhttps://example.com: four"],
    ]);
  });

  test("a text without names is read in `voice`, or else in the first voice of the speakers", () => {
    expect(read("Hello.", ["clara", "ben"])).toEqual([["clara", "Hello."]]);
    expect(read("Hello.", ["clara"], "dan")).toEqual([["dan", "Hello."]]);
  });
});

describe("refuses", () => {
  test("a speaker without a valid voice, with its index", () => {
    for (const entry of ["zoe", "Anna=zoe", "=ava", "Anna="]) {
      expect(() => read("Anna: One.", ["ava", entry])).toThrow(/^speakers\[1\]: must be a voice, Name=voice/);
    }
  });

  test("two voices for one name, and a name that no line has", () => {
    expect(() => read("Anna: One.\nBob: Two.", ["Anna=ava", "anna=ben"])).toThrow(
      /^speakers\[1\]: must not give a second/,
    );
    expect(() => read("ava: One.", ["ava", "Ava=ben"])).toThrow(/^speakers\[1\]: must not give a second/);
    expect(() => read("Anna: One.", ["Anna=ava", "Bob=ben"])).toThrow(/^speakers\[1\]: must name a speaker/);
    expect(() => read("One.", ["Anna=ava"])).toThrow(/^speakers\[0\]: must name a speaker/);
    for (const entries of [
      ["Anna=ava", "Anna=ava"],
      ["Anna", "Anna=ava"],
      ["Anna=ava", "Anna"],
    ])
      expect(read("Anna: One.", entries)).toEqual([["ava", "One."]]);
  });

  test("a prompt of names without any text", () => {
    expect(() => read("Anna:\nBob: ", ["ava", "ben"])).toThrow("prompt: must have text");
  });

  test("more than 64 changes of speaker", () => {
    const text = Array.from({ length: 65 }, (_, at) => `${at % 2 ? "Anna" : "Bob"}: x`).join("\n");
    expect(() => read(text, ["ava", "ben"])).toThrow("prompt: must change its speaker at most 64 times");
  });
});

test("every word of a prompt is spoken once and in order, in a voice of the model", () => {
  const line = fc.tuple(
    fc.constantFrom("", "Anna: ", "Bob: ", "ava: ", "Note: "),
    fc.constantFrom("one two", "three", "four, five", ""),
  );
  const prompts = fc
    .array(line, { minLength: 1, maxLength: 20 })
    .map((lines) => lines.map((l) => l.join("")).join("\n"));
  const entries = fc.array(fc.constantFrom("ava", "ben", "Anna=dan", "clara"), { maxLength: 4 });
  fc.assert(
    fc.property(prompts, entries, (prompt, speakers) => {
      const words = (text: string) => text.match(/one|two|three|four|five/g) ?? [];
      try {
        const lines = spokenLines({ prompt, speakers, voice: null, voices: VOICES });
        expect(words(lines.map(({ text }) => text).join("\n"))).toEqual(words(prompt));
        for (const { voice, text } of lines) {
          expect(voice === null || VOICES.includes(voice)).toBe(true);
          if (speakers.length > 0) expect(text).not.toBe("");
        }
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
        const isUnsaid = speakers.includes("Anna=dan") && !prompt.includes("Anna: ");
        expect(isUnsaid ? [] : words(prompt)).toEqual([]);
      }
    }),
  );
});
