import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../test/fastest.ts";
import { ownWords } from "./own-words.ts";

describe("a user's own words", () => {
  test.each([
    ["Run ls", "Run ls"],
    ["<environment_context>\n<cwd>/a</cwd>\n</environment_context>", ""],
    ["<system-reminder>Be brief.</system-reminder>Run ls", "Run ls"],
    ['Run ls\n<system-reminder>a</system-reminder>\n<git_status id="1">b</git_status>', "Run ls"],
    ["<task>\nRun ls\n</task>\n<environment_details>x</environment_details>", "Run ls"],
    ["<user_query><system-reminder>x</system-reminder>Run ls</user_query>", "Run ls"],
    ["# AGENTS.md instructions for /a\n\n<INSTRUCTIONS>Run tests</INSTRUCTIONS>", ""],
    ["# CLAUDE.md\n\nRun the tests first.", ""],
    ["# AGENTS.md", ""],
    ["# TODO.md is broken, say hello", "# TODO.md is broken, say hello"],
    ["# README.md: what is missing?\nTell me.", "# README.md: what is missing?\nTell me."],
    ["What does <b>this</b> mean?", "What does <b>this</b> mean?"],
    ["<doc>Whales are big.</doc>", "<doc>Whales are big.</doc>"],
    ["a < b and <open_tag without end", "a < b and <open_tag without end"],
    ["<system-reminder>never closed", "<system-reminder>never closed"],
    ["<<<BEGIN_AGENT_NOTES>>>\nUse the read tool.\n<<<END_AGENT_NOTES>>>", ""],
    ["<<<BEGIN_A>>>x<<<END_A>>>Run ls<<<BEGIN_B>>>y<<<END_B>>>", "Run ls"],
    ["<<<BEGIN_A>>><user_query>x</user_query><<<END_A>>>Run ls", "Run ls"],
    ["<<<BEGIN_A>>>Run ls<<<END_B>>>", "<<<BEGIN_A>>>Run ls<<<END_B>>>"],
    ["Run ls <<<END_A>>>", "Run ls <<<END_A>>>"],
  ])("of %j are %j", (text, own) => {
    expect(ownWords(text).trim()).toBe(own);
  });

  test("are never longer than the message", () => {
    const piece = fc.constantFrom(
      "<task>",
      "</task>",
      "<a_b>",
      "</a_b>",
      "<query>",
      "</query>",
      "<<<BEGIN_A>>>",
      "<<<END_A>>>",
      "hello ",
      "<",
      ">",
      "</",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        expect(ownWords(text).length).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  test("in 2,048 nested tags of different case are found quickly", () => {
    const spellings = Array.from({ length: 2048 }, (_, at) =>
      [..."userrequest"].map((letter, bit) => ((at >> bit) & 1 ? letter.toUpperCase() : letter)).join(""),
    ).map((name) => `${name.slice(0, 4)}_${name.slice(4)}`);
    const opening = spellings.map((name) => `<${name}>`).join("");
    const closing = spellings.map((name) => `</${name}>`).toReversed();
    const text = `${opening}Run ls ${"x".repeat(2_000_000)}${closing.join("")}`;
    expect(fastestMs(() => ownWords(text), 3, 100)).toBeLessThan(100);
  });

  test.each([" ", "\r", "\n", "#", "a "])(
    "are told apart quickly from an agent's file with 200,000 times %j",
    (unit) => {
      const text = `# AGENTS.md instructions for ${unit.repeat(200_000)}.`;
      expect(fastestMs(() => ownWords(`<task>${text}</task>`), 3, 100)).toBeLessThan(100);
    },
  );

  test("are found in nested tags, of which the outer one closes the inner one", () => {
    expect(ownWords("<task><query>Run</query> ls</task> now")).toBe("Run ls now");
    expect(ownWords("<task>a<query>b</task>c</query>")).toBe("a<query>bc</query>");
    expect(ownWords("<task>a<system-reminder>b</task>c</system-reminder>d")).toBe(
      "a<system-reminder>bc</system-reminder>d",
    );
    expect(ownWords("<task># AGENTS.md\na</task>b")).toBe("b");
  });

  test.each(["<task>", "<a_b>", "<a_b></a_b>", "</", "<task><query>", "<a_b ", "<<<BEGIN_A>>>", "<<<BEGIN_"])(
    "of 1 MB of %j are found quickly",
    (unit) => {
      const text = `${unit.repeat(1_000_000 / unit.length)}</x>`;
      expect(fastestMs(() => ownWords(text), 3, 100)).toBeLessThan(100);
    },
  );
});
