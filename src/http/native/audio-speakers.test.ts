import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AppError } from "../../kit/index.ts";
import { spokenLines } from "./audio-speakers.ts";

const VOICES = ["ava", "ben", "clara", "dan"];

function read(prompt: string, speakers: readonly string[] = [], voice: string | null = null) {
  return spokenLines({ prompt, speakers, voice, voices: VOICES }).map((line) => [line.voice, line.text]);
}

describe("without speakers", () => {
  test("the prompt is one piece, colons and all", () => {
    expect(read("Anna: Hello.\nBob: Hi.", [], "ben")).toEqual([["ben", "Anna: Hello.\nBob: Hi."]]);
    expect(read("  Hello.  ")).toEqual([[null, "Hello."]]);
  });
});

describe("with speakers", () => {
  test("the first name takes the first voice, the second the second, whoever speaks again keeps it", () => {
    expect(read("Anna: Hello.\nBob: Hi.\nanna: Bye.", ["clara", "dan"])).toEqual([
      ["clara", "Hello."],
      ["dan", "Hi."],
      ["clara", "Bye."],
    ]);
  });

  test("Name=voice says whose it is, and the others take what is left", () => {
    expect(read("Anna: One.\nBob: Two.\nCarl: Three.", ["ava", "Bob = dan", "ben"])).toEqual([
      ["ava", "One."],
      ["dan", "Two."],
      ["ben", "Three."],
    ]);
  });

  test("a speaker who is called like a voice has it", () => {
    expect(read("Ben: One.\nAva: Two.", ["ava", "ben"])).toEqual([
      ["ben", "One."],
      ["ava", "Two."],
    ]);
  });

  test("a speaker who is only named gets a voice of its own", () => {
    expect(read("Anna: One.\nBob: Two.", ["Anna", "Bob"])).toEqual([
      ["ava", "One."],
      ["ben", "Two."],
    ]);
    expect(read("Anna: One.\nBob: Two.", ["Bob=ava", "Anna"])).toEqual([
      ["ben", "One."],
      ["ava", "Two."],
    ]);
  });

  test("what has no name goes on in the same voice, and before the first name in `voice`", () => {
    expect(read("A story.\nAnna: One.\nstill one\n\nBob: Two.", ["ava", "ben"], "dan")).toEqual([
      ["dan", "A story."],
      ["ava", "One.\nstill one"],
      ["ben", "Two."],
    ]);
  });

  test("a name beyond the voices, a time and an address are text", () => {
    const text = "Anna: One.\nNote: two\n12:30 is three\nhttps://example.com: four";
    expect(read(text, ["ava"])).toEqual([
      ["ava", "One.\nNote: two\n12:30 is three\nhttps://example.com: four"],
    ]);
  });

  test("a text without names is read by the first voice", () => {
    expect(read("Hello.", ["clara", "ben"])).toEqual([["clara", "Hello."]]);
    expect(read("Hello.", ["clara"], "dan")).toEqual([["dan", "Hello."]]);
  });
});

describe("refused", () => {
  test("who is neither a voice nor a speaker, by its place", () => {
    for (const entry of ["zoe", "Anna=zoe", "=ava", "Anna="]) {
      expect(() => read("Anna: One.", ["ava", entry])).toThrow(/^speakers\[1\]: must be a voice, Name=voice/);
    }
  });

  test("names without any text", () => {
    expect(() => read("Anna:\nBob: ", ["ava", "ben"])).toThrow("prompt: must have text");
  });

  test("more changes of voice than a provider is asked for", () => {
    const text = Array.from({ length: 65 }, (_, at) => `${at % 2 ? "Anna" : "Bob"}: x`).join("\n");
    expect(() => read(text, ["ava", "ben"])).toThrow("prompt: must change its speaker at most 64 times");
  });
});

test("whatever is written, every word is said once and in order, in a voice of the model", () => {
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
        expect(words(prompt)).toEqual([]);
      }
    }),
  );
});
