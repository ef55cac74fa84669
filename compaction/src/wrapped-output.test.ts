import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../test/fastest.ts";
import { compact } from "./compact.ts";
import type { ChatMessage } from "./message.ts";
import { expand } from "./testing/expand-testing.ts";

let calls = 0;
function resultOf(name: string, command: string, content: string): ChatMessage[] {
  const call = { id: `c${calls++}`, name, arguments: JSON.stringify({ command: ["bash", "-lc", command] }) };
  return [
    { role: "assistant", content: null, toolCalls: [call] },
    { role: "tool", toolCallId: call.id, content },
  ];
}

const STRUCTURAL = { level: "structural", references: true } as const;
const SAFE = { level: "safe", references: true } as const;

const COLOURED = Array.from(
  { length: 40 },
  (_, at) => `\x1b[32m✓\x1b[39m "case ${at}" works (${at} ms)`,
).join("\n");
const PLAIN = COLOURED.replaceAll("\x1b[32m", "").replaceAll("\x1b[39m", "");
const PATHS = ["main", "watch", "parse", "render", "serve", "test"].map(
  (name) => `/srv/project/packages/service/src/${name}.ts`,
);

const WRAPS: Record<string, (text: string) => string> = {
  "an output with its metadata": (output) =>
    JSON.stringify({ output, metadata: { exit_code: 0, duration_seconds: 0.1 } }),
  "what a process wrote": (stdout) => JSON.stringify({ stdout, stderr: "", exit_code: 0 }, null, 2),
  "what a process wrote as an error": (stderr) => JSON.stringify({ exitCode: 1, stdout: "", stderr }),
  "one part": (text) => JSON.stringify([{ type: "text", text }]),
  "parts of content": (text) => JSON.stringify({ content: [{ type: "text", text }], isError: false }),
};

describe.each(Object.entries(WRAPS))("a command's output inside an object: %s", (_, wrap) => {
  test("loses its terminal codes, and the object stays", () => {
    const [, shown] = compact(resultOf("shell", "npx jest --color", wrap(COLOURED)), SAFE).messages;
    expect(shown?.content).toBe(wrap(PLAIN));
  });

  test("is folded, and refers to earlier output", () => {
    const text = PATHS.join("\n");
    const messages = [
      ...resultOf("shell", "rg --files", wrap(text)),
      ...resultOf("shell", "npx jest", wrap(PLAIN)),
      ...resultOf("shell", "npx jest -w", wrap(PLAIN)),
      ...resultOf("shell", "npx jest", wrap(`once more\n${PLAIN}`)),
    ];
    const { messages: shown } = compact(messages, STRUCTURAL);
    const key = /"(\w+)": ?"§/.exec(String(shown[1]?.content))?.[1];
    expect(shown[1]?.content).toBe(
      wrap(
        "§each of 6 lines: /srv/project/packages/service/src/…\nmain.ts\nwatch.ts\nparse.ts\nrender.ts\nserve.ts\ntest.ts",
      ),
    );
    expect(shown[5]?.content).toBe(wrap(`§same as ${key} of shell "npx jest"`));
    expect(shown[7]?.content).toBe(
      wrap(`once more\n§same as ${key} of shell "npx jest" from \`✓ "case 0" works\` to \` works (39 ms)\``),
    );
    expect(expand(shown, STRUCTURAL)).toEqual(messages);
  });

  test("keeps its codes if it is a file", () => {
    const messages = resultOf("shell", "cat colours.sh", wrap(COLOURED));
    expect(compact(messages, SAFE).messages).toBe(messages);
  });

  test("stays unchanged if the object itself may be the file", () => {
    const numbered = COLOURED.split("\n").map((line, at) => `${String(at + 1).padStart(6)}\t${line}`);
    const messages = resultOf("shell", "cat test/fixtures/answer.json", wrap(numbered.join("\n")));
    for (const options of [SAFE, STRUCTURAL]) expect(compact(messages, options).messages).toBe(messages);
  });
});

describe("a file that a command shows", () => {
  const { "an output with its metadata": wrap, "what a process wrote": other } = WRAPS;
  const numbered = PATHS.map((line, at) => `${String(at + 1).padStart(6)}\t${line}`).join("\n");
  const thin = PATHS.map((line, at) => `${at + 1}\t${line}`).join("\n");
  const shown = (before: ChatMessage[], content: string) => {
    const messages = [...before, ...resultOf("shell", "cat -n paths.txt", content)];
    const compacted = compact(messages, SAFE).messages;
    expect(compacted.slice(0, before.length)).toEqual(compact(before, SAFE).messages as ChatMessage[]);
    return compacted.at(-1)?.content;
  };

  test("is compacted inside an object if all results of the tool came in such objects", () => {
    const before = resultOf("shell", "make", wrap?.(PLAIN) ?? "");
    const file = JSON.stringify({ output: numbered, metadata: { exit_code: 1, duration_seconds: 2 } });
    expect(shown(before, file)).toBe(file.replace(JSON.stringify(numbered), JSON.stringify(thin)));
  });

  test("stays unchanged if earlier results are of another form or another tool", () => {
    const file = wrap?.(numbered) ?? "";
    for (const before of [
      resultOf("shell", "make", other?.(PLAIN) ?? ""),
      resultOf("bash", "make", wrap?.(PLAIN) ?? ""),
      resultOf("shell", "cat -n paths.txt", file),
      [...resultOf("shell", "make", wrap?.(PLAIN) ?? ""), ...resultOf("shell", "make", PLAIN)],
      [...resultOf("shell", "make", PLAIN), ...resultOf("shell", "make", wrap?.(PLAIN) ?? "")],
    ])
      expect(shown(before, file)).toBe(file);
  });
});

describe("an object with a command's output stays unchanged", () => {
  const output = COLOURED;
  test.each([
    [
      "shell",
      "escapes that would not be written again",
      `{"output":${JSON.stringify(output).replaceAll("✓", "\\u2713")},"exit_code":0}`,
    ],
    ["shell", "no sign of a command", JSON.stringify({ text: output, author: "somebody" })],
    ["shell", "much beside it", JSON.stringify({ output, exit_code: 0, rest: "x".repeat(2_000) })],
    ["shell", "no end", `{"exit_code":0,"output":${JSON.stringify(output).slice(0, -1)}`],
    ["shell", "something after it", `{"output":${JSON.stringify(output)},"exit_code":0}\nand more`],
    ["read_file", "a tool that reads files", JSON.stringify({ output, exit_code: 0 })],
    ["unheard_of", "an unknown tool", JSON.stringify({ output, exit_code: 0 })],
  ])("%s: %s", (name, _, content) => {
    const messages = resultOf(name, "make", content);
    expect(compact(messages, SAFE).messages).toBe(messages);
  });

  test("except that texts that look like a mark are escaped", () => {
    const content = JSON.stringify({
      output: "§same as it ".repeat(20),
      exit_code: 0,
      note: "§same as never",
    });
    const { messages } = compact(resultOf("shell", "make", content), STRUCTURAL);
    expect(String(messages[1]?.content)).not.toMatch(/§same/);
  });
});

describe("a log in a service's response", () => {
  const answer = (key: string, log: string) =>
    JSON.stringify({ job_id: 7, [key]: log, message: "retrieved", original_length: 40 });

  test.each(["logs_content", "logs", "log"])("is compacted as a log: %s", (key) => {
    const messages = [
      ...resultOf("get_job_logs", "7", answer(key, COLOURED)),
      ...resultOf("get_job_logs", "8", answer(key, PLAIN)),
      ...resultOf("get_job_logs", "9", answer(key, PATHS.join("\n"))),
    ];
    expect(compact(messages, SAFE).messages[1]?.content).toBe(answer(key, PLAIN));
    const { messages: shown } = compact(messages.slice(2), STRUCTURAL);
    expect(String(shown[3]?.content)).toStartWith(`{"job_id":7,"${key}":"§each of 6 lines: /srv/`);
    expect(expand(shown, STRUCTURAL)).toEqual(messages.slice(2));
    const twice = compact(
      [...messages.slice(2, 4), ...resultOf("get_job_logs", "7", answer(key, PLAIN))],
      STRUCTURAL,
    ).messages;
    expect(expand(twice, STRUCTURAL).at(-1)?.content).toBe(answer(key, PLAIN));
    expect(twice[3]?.content).toBe(answer(key, `§same as ${key} of get_job_logs "8"`));
  });

  test.each([
    [
      "run_command",
      "a log file's name",
      (output: string) => JSON.stringify({ exit_code: 0, log: "/var/log/run-1.log", output }),
    ],
    ["shell", "no log", (stdout: string) => JSON.stringify({ log: "none", stdout, exit_code: 1 })],
    ["shell", "two logs", (output: string) => JSON.stringify({ exit_code: 0, logs: "one\ntwo", output })],
  ])("does not replace the output beside it: %s with %s", (name, _, wrap) => {
    const messages = resultOf(name, "make", wrap(COLOURED));
    expect(compact(messages, SAFE).messages[1]?.content).toBe(wrap(PLAIN));
    const folded = resultOf(name, "make", wrap(PATHS.join("\n")));
    const { messages: shown } = compact(folded, STRUCTURAL);
    expect(String(shown[1]?.content)).toContain('":"§each of 6 lines: /srv/');
    expect(expand(shown, STRUCTURAL)).toEqual(folded);
  });

  test("that is short does not keep white space around it", () => {
    const prediction = {
      id: "p1",
      input: { prompt: "a cat", width: 1024, height: 1024, steps: 30, scheduler: "K_EULER" },
      logs: "Using seed: 4242\n100% of 30\n",
      output: ["https://example.org/1.png"],
    };
    const messages = resultOf("get_prediction", "7", JSON.stringify(prediction, null, 2));
    for (const options of [SAFE, STRUCTURAL]) {
      const { messages: shown, actions, tokensSaved } = compact(messages, options);
      expect(shown[1]?.content).toBe(JSON.stringify(prediction));
      expect(actions).toEqual(["json_whitespace"]);
      expect(tokensSaved).toBeGreaterThan(20);
    }
    const little = resultOf("get_build", "7", '{ "id": 7, "log": "one\\ntwo" }');
    expect(compact(little, SAFE).messages).toBe(little);
    const marked = resultOf("get_build", "7", '{ "id": 7, "log": "§same as it\\ntwo" }');
    expect(String(compact(marked, STRUCTURAL).messages[1]?.content)).not.toMatch(/§same/);
  });

  test("loses its colours, and the JSON around it its white space", () => {
    const indented = JSON.stringify(JSON.parse(answer("logs", COLOURED)), null, 4);
    const { messages: shown, actions } = compact(resultOf("get_job_logs", "7", indented), SAFE);
    expect(shown[1]?.content).toBe(answer("logs", PLAIN));
    expect(actions).toEqual(["json_whitespace", "terminal_codes"]);
  });

  test.each(["one line", "one line\nand another"])("does not replace a part with JSON: %j", (log) => {
    const rows = JSON.stringify(Array.from({ length: 12 }, (_, id) => ({ id, name: `user ${id}` })));
    const part = (text: string) => JSON.stringify({ log, content: [{ type: "text", text }] });
    const messages = resultOf("get_thing", "7", part(JSON.stringify(JSON.parse(rows), null, 2)));
    expect(compact(messages, SAFE).messages[1]?.content).toBe(part(rows));
    const { messages: shown } = compact(resultOf("get_thing", "7", part(rows)), STRUCTURAL);
    expect(String(shown[1]?.content)).toContain("§cols");
    expect(expand(shown, STRUCTURAL)[1]?.content).toBe(part(rows));
  });

  test("is ordinary data if it has one line, or much beside it", () => {
    const line = JSON.stringify({ log: "so many words ".repeat(20), more: PATHS }, null, 2);
    const much = JSON.stringify(
      { log: "a\nb", more: [...PATHS, ...PATHS, ...PATHS, ...PATHS, ...PATHS] },
      null,
      2,
    );
    for (const content of [line, much]) {
      const [, shown] = compact(resultOf("get_job_logs", "7", content), SAFE).messages;
      expect(shown?.content).toBe(JSON.stringify(JSON.parse(content)));
    }
  });
});

test("an object that only names a stream is referred to as a whole, and can be expanded again", () => {
  const text = PATHS.map((path, at) => `${at} ${path}`).join("\n");
  const stream = JSON.stringify({ output_type: "stream", name: "stdout", text: text.repeat(2) });
  const messages = [...resultOf("execute_cell", "2", stream), ...resultOf("execute_cell", "2", stream)];
  const { messages: shown } = compact(messages, STRUCTURAL);
  expect(shown[3]?.content).toBe('§same as execute_cell "2"');
  expect(expand(shown, STRUCTURAL)).toEqual(messages);
});

describe("data in a content part", () => {
  const rows = Array.from({ length: 20 }, (_, id) => ({ id, name: `item ${id}`, tags: ["a", `b${id}`] }));
  const inContent = (text: string) => JSON.stringify({ content: [{ type: "text", text }] });
  const inList = (text: string) => JSON.stringify([{ type: "text", text }]);

  test.each([
    ["of an object", inContent],
    ["of a list", inList],
  ])("%s loses its white space, and becomes a table", (_, part) => {
    const messages = resultOf("list_issues", "", part(JSON.stringify(rows, null, 2)));
    expect(compact(messages, SAFE).messages[1]?.content).toBe(part(JSON.stringify(rows)));
    expect(String(compact(messages, STRUCTURAL).messages[1]?.content)).toContain("§cols");
  });

  test("only loses its white space if the object around it is the response itself", () => {
    const answer = { result: JSON.stringify(rows, null, 2), duration: 5, more: rows };
    const messages = resultOf("list_issues", "", JSON.stringify(answer, null, 2));
    expect(compact(messages, SAFE).messages[1]?.content).toBe(JSON.stringify(answer));
    const words = { content: [{ type: "text", text: "so many words ".repeat(9) }], more: rows.slice(0, 9) };
    const said = resultOf("list_issues", "", JSON.stringify(words, null, 2));
    expect(compact(said, SAFE).messages[1]?.content).toBe(JSON.stringify(words));
  });
});

test.each(["\\\\", "\\n", "\\u001b[", "a\\r", '\\"'])(
  "objects full of %s are compacted within 1.5 seconds",
  (unit) => {
    const content = `{"exit_code":0,"output":"${unit.repeat(200_000 / unit.length)}"}`;
    const messages = [...resultOf("shell", "make", content), ...resultOf("shell", "make again", content)];
    expect(fastestMs(() => compact(messages, STRUCTURAL), 2)).toBeLessThan(1_500);
  },
);
