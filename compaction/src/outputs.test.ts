import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../test/fastest.ts";
import { roundsOfRun } from "../../test/rounds-of-run.ts";
import { expand } from "../expand/expand.ts";
import { compact } from "./compact.ts";
import type { ChatMessage } from "./message.ts";
import { findOutputs } from "./outputs.ts";

const OPTIONS = { level: "structural", references: true } as const;
const CODE = Array.from({ length: 60 }, (_, at) => `${at % 3 === 0 ? "" : "  "}const value${at} = ${at};`);
const LINES = CODE.join("\n");
const numbered = (lines: readonly string[]) => lines.map((line, at) => `${at + 1} | ${line}`).join("\n");
const DETAILS = `<environment_details>\n${LINES}\n</environment_details>`;

const say = (content: string): ChatMessage => ({ role: "user", content });
const ask = (content: string): ChatMessage => ({ role: "assistant", content });
const cline = (tool: string, about: string, result: string) => `[${tool} for '${about}'] Result:\n${result}`;
const mini = (output: string) => `<returncode>0</returncode>\n<output>\n${output}\n</output>`;
const run = (command: string) => ask(`I look.\n\n\`\`\`bash\n${command}\n\`\`\``);
const shown = (messages: readonly ChatMessage[]) =>
  compact(messages, OPTIONS).messages.map(({ content }) => content);

/** What is inside the frames of a text, and the calls. */
function insides(text: string, asked = ""): string[][] {
  return findOutputs(text, asked)
    .flat()
    .map(({ from, to, call }) => [text.slice(from, to), call.name, call.arguments]);
}

describe("tool output in user messages", () => {
  test.each([
    ["Cline", `[read_file for 'src/a.ts'] Result:\none\n${DETAILS}`, "read_file", "src/a.ts"],
    ["Roo Code", "[read_file for 'a.ts', 'b.ts'. All at once.] Result:\none\n\n# TODO LIST", "read_file", ""],
    ["OpenHands", "EXECUTION RESULT of [str_replace_editor]:\none", "str_replace_editor", ""],
    ["R2E-Gym", "Execution output of [file_editor]:\none", "file_editor", ""],
    ["SWE-agent", "OBSERVATION:\none", "output", ""],
    ["SWE-agent before 1.0", "one\n(Open file: /a.py)\n(Current directory: /)\nbash-$", "output", ""],
    ["smolagents", "Observation:\nExecution logs:\none", "output", ""],
    ["Terminus", "Previous response had warnings:\nOdd.\n\nNew Terminal Output:\none", "output", ""],
    ["Hermes", "<tool_response>\none\n</tool_response>", "output", ""],
    ["a loop with names", '<tool_result name="read_file">\none\n</tool_result>\nGo on.', "read_file", ""],
    ["a loop with words", "Tool result for list_files:\none", "list_files", ""],
    ["opencode", "<path>/a.ts</path>\n<type>file</type>\n<content>\none\n</content>", "read", "/a.ts"],
  ])("of %s is found inside its frame", (_, text, name, about) => {
    const [[inside = "", tool, input = ""] = []] = insides(text);
    expect([inside.trimEnd(), tool]).toEqual(["one", name]);
    expect(input).toContain(about);
  });

  test("is the answer to the command that the model asked for; a shell without one may show a file", () => {
    const asked = "I look.\n\n```mswea_bash_command\nsed -n 1,9p a.py\n```";
    expect(insides(mini("one"), asked)).toEqual([["one", "bash", '{"command":"sed -n 1,9p a.py"}']]);
    expect(insides(mini("one"))).toEqual([["one", "output", "{}"]]);
    expect(insides("EXECUTION RESULT of [bash]:\none", "<parameter=command>ls</parameter>")).toEqual([
      ["one", "bash", '{"command":"ls"}'],
    ]);
  });

  test("is compacted like a tool's result, and refers to earlier results by tool and argument", () => {
    const read = cline("read_file", "src/a.ts", numbered(CODE));
    const [first, , second] = shown([say(read), ask("Again."), say(read)]);
    expect(first).toStartWith("[read_file for 'src/a.ts'] Result:\n§lines 1-60, every 5th numbered\n");
    expect(second).toBe(cline("read_file", "src/a.ts", '§same as read_file "src/a.ts"'));
    const [, , , again] = shown([run("cat a.py"), say(mini(LINES)), run("head -99 a.py"), say(mini(LINES))]);
    expect(again).toBe(mini('§same as bash "cat a.py"'));
  });

  test("keeps every line of what may be a file", () => {
    const texts = [numbered(CODE), Array.from({ length: 40 }, () => "  same();").join("\n")];
    const frames = [cline.bind(null, "read_file", "a.ts"), mini, (text: string) => `OBSERVATION:\n${text}`];
    for (const text of texts) {
      for (const frame of frames) {
        const [, result = ""] = shown([run("cat a.ts"), say(frame(text))]);
        const lines = `${result}`.split("\n").map((line) => line.replace(/^\d+ \| /, ""));
        const file = text.split("\n").map((line) => line.replace(/^\d+ \| /, ""));
        expect(lines).toEqual(expect.arrayContaining(file));
      }
    }
  });

  test("may be in a part of its own, behind the part with its header", () => {
    const part = (text: string) => ({ type: "text", text }) as const;
    const [header, details] = [part("[read_file for 'a.ts'] Result:"), part(DETAILS)];
    const parts = [header, part(numbered(CODE)), details];
    const messages: ChatMessage[] = [{ role: "user", content: parts }];
    const [content] = shown(messages);
    expect(content).toEqual([header, part(expect.stringContaining("§lines 1-60")), details]);
    expect(expand(compact(messages, OPTIONS).messages, OPTIONS)).toEqual(messages);
  });

  test("is all that changes: people's words, details of the environment and half a frame stay", () => {
    const own = [
      `Look at this: [read_file for 'a.ts'] Result:\n${LINES}`,
      `[attempt_completion] Result:\n<feedback>\n${LINES}\n</feedback>`,
      `<output>\n${LINES}\n</output>`,
      `<tool_result>\n${LINES}`,
      `I saw "OBSERVATION:\n${LINES}"`,
      `${LINES}\nbash-$`,
      DETAILS,
    ];
    const messages = [say(cline("read_file", "a.ts", LINES)), ...own.map(say)];
    expect(shown(messages)).toEqual(messages.map(({ content }) => content));
    const around = (result: string) => `${cline("read_file", "a.ts", result)}\n${DETAILS}`;
    expect(shown([say(around(LINES)), say(around(LINES))])[1]).toBe(around('§same as read_file "a.ts"'));
  });

  test("stays unchanged at the level safe, and where the message cannot be written back", () => {
    const messages = [say(mini(LINES)), say(mini(LINES))];
    expect(compact(messages, { ...OPTIONS, level: "safe" }).changed).toEqual([]);
    expect(compact(messages, { ...OPTIONS, isFixed: () => true }).changed).toEqual([]);
  });

  test("may quote frames: they can be expanded again, and begin like the whole at every cut", () => {
    const signs = ["[read_file for 'b.ts'] Result:", "<environment_details>", "<returncode>0</returncode>"];
    const line = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...CODE) },
      fc.constantFrom(
        ...signs,
        "<output>",
        "</output>",
        "OBSERVATION:",
        "</tool_result>",
        "<tool_result>",
        "§same as a",
      ),
    );
    const lines = fc.array(line, { minLength: 6, maxLength: 40 });
    const text = fc
      .tuple(lines, fc.boolean(), fc.boolean())
      .map(([some, isNumbered, isWhole]) =>
        [isWhole ? LINES : "", isNumbered ? numbered(some) : some.join("\n")].join("\n"),
      );
    const frame = fc.constantFrom(
      (result: string) => `${cline("read_file", "a.ts", result)}\n${DETAILS}`,
      (result: string) => cline("execute_command", "make", result) + cline("\n[read_file", "b", result),
      mini,
      (result: string) => `OBSERVATION:\n${result}`,
      (result: string) => `<tool_result>\n${result}\n</tool_result>\nAnd?`,
      (result: string) => `${result}\n(Open file: n/a)\n(Current directory: /)\nbash-$`,
    );
    const turn = fc
      .tuple(frame, text, fc.constantFrom("cat a.ts", "make test", "ls"))
      .map(([wrap, result, command]) => [run(command), say(wrap(result))]);
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 5 }), (turns) => {
        const messages = turns.flat();
        const { messages: whole, originalTokens, compactedTokens } = compact(messages, OPTIONS);
        const expanded = JSON.stringify(expand(whole, OPTIONS)).replaceAll("§ same", "§same");
        expect(expanded).toEqual(JSON.stringify(messages));
        expect(compactedTokens).toBeLessThanOrEqual(originalTokens);
        for (let cut = 0; cut < messages.length; cut++)
          expect(compact(messages.slice(0, cut), OPTIONS).messages).toEqual(whole.slice(0, cut));
      }),
      { numRuns: roundsOfRun(300) },
    );
  });

  test.each([
    "[read_file for '\n",
    "[read_file for ''''''''''] Result:",
    "[read_file] Result:\n",
    "<tool_result>\n",
    "</returncode><returncode>0</returncode>\n<output>\n",
    "<path>a</path>\n<type>file</type>\n<content>\n",
    "[a for '[a",
    "Tool result ",
  ])("is looked for in linear time: %j", (unit) => {
    const text = (size: number) => say(unit.repeat(size / unit.length));
    expect(fastestMs(() => compact([text(66_000)], OPTIONS), 3, 300)).toBeLessThan(300);
  });
});
