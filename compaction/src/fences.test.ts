import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { expand } from "../expand/expand.ts";
import { compact } from "./compact.ts";
import type { ChatMessage } from "./message.ts";

const OPTIONS = { level: "structural", references: true, fences: true } as const;
const GUTTER = Array.from(
  { length: 60 },
  (_, at) => `${String(at + 1).padStart(6)}→const value = ${at};`,
).join("\n");
const ROWS = JSON.stringify(
  Array.from({ length: 20 }, (_, at) => ({ id: at, state: "open", place: `city ${at}` })),
);
const KEYS = `codes:\n${Array.from({ length: 19 }, (_, at) => `    ${400 + at}: the text of code number ${at}`).join("\n")}`;
const fence = (tag: string, text: string) => `Look:\n\`\`\`${tag}\n${text}\n\`\`\`\nWhat is that?`;
const say = (content: string): ChatMessage => ({ role: "user", content });
const shown = (text: string, options: Parameters<typeof compact>[1] = OPTIONS) =>
  compact([say(text)], options).messages[0]?.content as string;

describe("fences of user messages", () => {
  test.each(["", "text", "console", "log"])("with the tag %j are compacted like output of tools", (tag) => {
    expect(shown(fence(tag, GUTTER))).toBe(fence(tag, GUTTER.replaceAll(/^ +/gm, "")));
    expect(shown(fence(tag, ROWS))).toStartWith(
      `Look:\n\`\`\`${tag}\n{"§cols":["id",{"state=":"open"},"place"]\n0,city 0\n`,
    );
  });

  test("may be longer than those inside them, and may consist of tildes", () => {
    const inner = `\`\`\`ts\n${GUTTER}\n\`\`\``;
    const around = (sign: string, text: string) => `${sign}\n${text}\n${sign}`;
    for (const sign of ["````", "~~~"]) {
      expect(shown(around(sign, GUTTER))).toBe(around(sign, GUTTER.replaceAll(/^ +/gm, "")));
      expect(shown(around(sign, `${inner}\n${GUTTER}`))).toBe(
        around(sign, `${inner}\n${GUTTER.replaceAll(/^ +/gm, "")}`),
      );
    }
  });

  test("of tildes are not closed by a value inside them", () => {
    const rows = Array.from({ length: 20 }, (_, at) => ({ sign: "~~~", place: `city ${at}` }));
    const text = JSON.stringify(rows.with(3, { sign: "~~~~", place: "x" }));
    const messages = [say(`~~~\n${text}\n~~~`)];
    const { messages: compacted, tokensSaved } = compact(messages, OPTIONS);
    expect(tokensSaved).toBeGreaterThan(0);
    expect(expand(compacted, OPTIONS)).toEqual(messages);
  });

  test("stay unchanged at the level safe, and without the option fences", () => {
    expect(shown(fence("", GUTTER), { ...OPTIONS, level: "safe" })).toBe(fence("", GUTTER));
    expect(shown(fence("", GUTTER), { ...OPTIONS, fences: false })).toBe(fence("", GUTTER));
  });

  test("lose terminal codes, unless one hides what would close the fence", () => {
    const coloured = Array.from({ length: 40 }, (_, at) => `\x1b[32mPASS\x1b[0m test ${at}`).join("\n");
    expect(shown(fence("console", coloured))).toBe(
      fence("console", coloured.replaceAll("\x1b[32m", "").replaceAll("\x1b[0m", "")),
    );
    for (const hidden of ["\x1b[0m```", "`\x1b[0m``", "~\x1b[1m~~"]) {
      const text = fence("console", `${coloured}\n${hidden}\n${coloured}`);
      expect(shown(text)).toBe(text);
    }
  });

  test("refer to each other, and can be expanded again", () => {
    const plain = GUTTER.replaceAll(/^ +/gm, "");
    const messages = [
      say(fence("", plain)),
      say(fence("text", `${plain}\n61→more`)),
      say(fence("log", ROWS)),
    ];
    const { messages: compacted } = compact(messages, OPTIONS);
    expect(compacted[1]?.content).toBe(fence("text", "1-60→§same as in fence of user message\n61→more"));
    expect(expand(compacted, OPTIONS)).toEqual(messages);
  });

  test("are named by their message and their number in it", () => {
    const own = fence("ts", "one line");
    const messages = [
      say("Hello."),
      say(`${own}\n${fence("", GUTTER)}`),
      say("And?"),
      say(fence("", GUTTER)),
    ];
    const { messages: compacted } = compact(messages, OPTIONS);
    expect(compacted[3]?.content).toBe(fence("", "1-60→§same as in fence 2 of user message #2"));
  });

  test("in a language, too short, not closed or without output stay unchanged", () => {
    const own = fc.oneof(
      fc.constantFrom(
        fence("ts", GUTTER),
        fence("python", ROWS),
        fence("json", ROWS),
        fence("", KEYS),
        fence("text", KEYS.replaceAll("    ", "")),
        fence("", GUTTER.slice(0, 390)),
        `\`\`\`\n${GUTTER}`,
        `~~~python\n\`\`\`\n${GUTTER}\n\`\`\`\n~~~`,
        `\`\`\`\`python\n\`\`\`\n${GUTTER}\n\`\`\`\n\`\`\`\``,
        `  ~~~~ts\n~~~\n${ROWS}\n~~~\n  ~~~~`,
        `- a list:\n     \`\`\`\n${GUTTER}\n     \`\`\``,
      ),
      fc.string({ unit: fc.constantFrom("```", "~~~", "`", "\n", "a", " ", "```json\n", "1→", "{", "}") }),
      fc.lorem({ mode: "sentences", maxCount: 30 }).map((text) => fence("", text)),
    );
    fc.assert(
      fc.property(fc.array(own.map(say), { minLength: 1, maxLength: 4 }), (messages) => {
        expect(compact(messages, OPTIONS).messages).toEqual(messages);
      }),
    );
  });
});
