import { describe, expect, test } from "bun:test";
import { compact } from "./compact.ts";
import type { ChatMessage } from "./message.ts";

const COLOURED = Array.from({ length: 40 }, (_, at) => `\x1b[32mPASS\x1b[0m test number ${at}`).join("\n");

const KEYS = Array.from({ length: 30 }, (_, at) => `    ${400 + at}: message number ${at}`).join("\n");

function resultOf(name: string, content: string, input = "{}"): ChatMessage[] {
  return [
    { role: "assistant", content: null, toolCalls: [{ id: "1", name, arguments: input }] },
    { role: "tool", toolCallId: "1", content },
  ];
}

describe.each(["safe", "structural"] as const)("at the level %s", (level) => {
  test.each(["Read", "mcp__fs__slurp"])(
    "a tool that reads files, or may do so, keeps terminal codes: %s",
    (name) => {
      const messages = resultOf(name, COLOURED);
      expect(compact(messages, { level, references: true }).messages).toBe(messages);
    },
  );

  test.each(["Read", "Bash", "mcp__fs__slurp", "get_log"])(
    "consecutive keys and their indent stay in results of %s",
    (name) => {
      for (const text of [`messages:\n${KEYS}`, KEYS.replaceAll("    ", "")]) {
        const { messages } = compact(resultOf(name, text), { level, references: true });
        for (const line of text.split("\n")) expect(messages[1]?.content).toContain(line);
      }
    },
  );

  test.each([
    { command: "cat colours.sh" },
    { command: "cd /srv/app && sed -n '1,40p' colours.sh" },
    { command: ["bash", "-lc", "head -40 colours.sh"] },
  ])("a shell that shows a file keeps terminal codes: %j", (input) => {
    const messages = resultOf("Bash", COLOURED, JSON.stringify(input));
    const { messages: shown, actions } = compact(messages, { level, references: true });
    expect(actions).not.toContain("terminal_codes");
    expect(shown[1]?.content).toContain("\x1b[32mPASS\x1b[0m");
  });

  test.each(["make", "make | tail -40", "catch 1"])(
    "a shell that runs %s loses terminal codes",
    (command) => {
      const messages = resultOf("Bash", COLOURED, JSON.stringify({ command }));
      expect(compact(messages, { level, references: true }).messages[1]?.content).not.toContain("\x1b");
    },
  );

  test("the lines of a file stay unchanged, whichever tool shows it", () => {
    const asserts = ["/a", "/b", "/c", "/d"].map(
      (path) => `        self.assertEqual(self.get("${path}"), 200)`,
    );
    const text = ["class T:", "    def test(self):", ...asserts, ...Array(5).fill("        pass"), ""].join(
      "\n",
    );
    for (const command of ["cat tests/t.py", ["bash", "-lc", "cd a && cat tests/t.py"]]) {
      const messages = resultOf("shell", text, JSON.stringify({ command }));
      expect(compact(messages, { level, references: true }).messages).toBe(messages);
    }
    const messages = resultOf("read_file", text, JSON.stringify({ path: "tests/t.py" }));
    expect(compact(messages, { level, references: true }).messages).toBe(messages);
  });

  test("a result without a call keeps terminal codes", () => {
    const messages = resultOf("Bash", COLOURED).slice(1);
    expect(compact(messages, { level, references: true }).messages).toBe(messages);
  });

  test.each([
    ["Grep", { pattern: "=", path: "scripts" }],
    ["Grep", { pattern: "=", path: "scripts/colours.sh" }],
    ["Bash", { command: "cd /srv/app && grep -rn = scripts | head -40" }],
    ["exec_command", { cmd: ["bash", "-lc", "rg -n 'RED|NC' scripts"] }],
  ])("search results keep codes and carriage returns of the file: %s %j", (name, input) => {
    const lines = Array.from(
      { length: 20 },
      (_, at) => `scripts/colours.sh:${at}:RED${at}='\x1b[3${at % 8}m'\r;`,
    );
    const { messages, actions } = compact(resultOf(name, lines.join("\n"), JSON.stringify(input)), {
      level,
      references: true,
    });
    expect(actions).not.toContain("terminal_codes");
    expect(actions).not.toContain("progress_lines");
    for (let at = 0; at < 20; at++) expect(messages[1]?.content).toContain(`RED${at}='\x1b[3${at % 8}m'\r;`);
  });

  test.each(["Bash", "kubectl_logs"])("a tool whose results are output loses terminal codes: %s", (name) => {
    const { messages, actions } = compact(resultOf(name, COLOURED), { level, references: true });
    expect(messages[1]?.content).not.toContain("\x1b");
    expect(actions).toContain("terminal_codes");
  });
});

test.each([{ path: "package.json" }, { file: "a" }, { path: "src/a.ts" }])(
  "JSON that was found in a file keeps its white space: %j",
  (input) => {
    const text = JSON.stringify(
      { name: "x", scripts: { build: "tsc", test: "vitest", lint: "eslint ." } },
      null,
      2,
    );
    const messages = resultOf("Grep", text, JSON.stringify({ pattern: "", ...input }));
    expect(compact(messages, { level: "safe", references: true }).messages).toBe(messages);
    expect(compact(messages, { level: "structural", references: true }).messages).toBe(messages);
  },
);

describe("a file with the content of an earlier result in another notation", () => {
  const service = {
    name: "service",
    text: "a small service that does one thing and does it well, as all say",
  };
  const compactText = JSON.stringify({
    ...service,
    note: "it does not say anything more about what it does",
  });
  const said =
    "All tests passed in the first suite, nothing else to report here today.\nSecond suite: 14 passed, 0 failed, 2 skipped, see the report for more of it.\n";

  test.each([
    ["get_service", compactText.replaceAll('":"', '": "').replaceAll('","', '", "'), compactText],
    ["Bash", `\x1b[m${said}`, said],
  ])("is not replaced by a reference to the result of %s", (name, result, file) => {
    const read = { id: "2", name: "read_file", arguments: '{"path":"a.json"}' };
    const messages: ChatMessage[] = [
      ...resultOf(name, result),
      { role: "assistant", content: null, toolCalls: [read] },
      { role: "tool", toolCallId: "2", content: file },
    ];
    expect(compact(messages, { level: "structural", references: true }).messages).toBe(messages);
  });
});

describe("numbers before lines", () => {
  const rows = (first: number, row: (at: number) => string) =>
    Array.from({ length: 40 }, (_, at) => `${first + at}${row(at)}`).join("\n");
  const CODE = [..."abcdefgh"].flatMap((name) => [
    `func ${name}() {`,
    `\treturn ${name}`,
    "}",
    "",
    "// next",
  ]);
  const numbered = (first: number, sign: string, lines = CODE) =>
    lines.map((line, at) => `${first + at}${sign}${line}`).join("\n");
  const seen = (name: string, text: string, input: object = {}) =>
    compact(resultOf(name, text, JSON.stringify(input)), { level: "structural", references: true });

  test.each([
    ["run_query", rows(48_211, (at) => `\tuser ${at}\t${(at * 37) % 100}`), { sql: "select" }],
    ["run_query", rows(48_211, (at) => `\t${"x".repeat(at % 7)}`), { sql: "select" }],
    ["Grep", rows(9_980, (at) => `\tuser ${at}`), { pattern: "user" }],
    ["Grep", rows(340, (at) => `→user ${at}`), { pattern: "user" }],
    ["Bash", rows(101, (at) => `|user ${at}|${(at * 37) % 100}`), { command: "psql -At" }],
    ["Bash", rows(1, (at) => `|${(at * 37) % 100}`), { command: "psql -At" }],
    ["Read", `id\tname\n${rows(1, (at) => `\tuser ${at}`)}`, { path: "users.tsv" }],
    ["Read", rows(5_000, (at) => `\tuser ${at}`), { path: "users.tsv" }],
    ["Read", rows(1, (at) => `\tuser ${at}\t${(at * 37) % 100}`), { path: "users.tsv" }],
    ["Read", rows(501, (at) => `\tuser ${at}${at % 4 === 0 ? "\tclosed" : ""}`), { path: "users.tsv" }],
    ["Read", rows(5_000, (at) => `|${at % 3 === 0 ? "" : "paid"}|5`), { path: "bills.txt" }],
    ["Read", rows(1, (at) => `\tuser ${at}`), { path: "users.tsv" }],
    ["Read", rows(1, (at) => `|user ${at}`), { path: "https://example.org/users.PSV?raw=1" }],
    ["Read", rows(1, (at) => `\tuser ${at}${at % 4 === 0 ? "\tclosed" : ""}`), { path: "users.txt" }],
    ["get_item", rows(1, (at) => `\tuser ${at}`), { path: "data/users.csv" }],
    ["excel_read_sheet", rows(1, (at) => `\tuser ${at}`), { sheet: "users" }],
    ["readWorksheet", rows(1, (at) => `|user ${at}`), {}],
    ["ocr_image", rows(1, (at) => `│user ${at}`), { image: 1 }],
    ["ocr_image", rows(1, (at) => `│ user ${at}`), { image: 1 }],
  ])("stay if they are ids of records: results of %s, %#", (name, text, input) => {
    const messages = resultOf(name, text, JSON.stringify(input));
    const { messages: shown, actions } = compact(messages, { level: "structural", references: true });
    expect(actions).not.toContain("line_numbers");
    for (const id of text.match(/^\d+/gm) ?? []) expect(shown[1]?.content).toMatch(new RegExp(`^${id}`, "m"));
  });

  test.each([
    ["Read", numbered(1, "\t")],
    ["Read", numbered(340, "\t")],
    [
      "slurp",
      numbered(
        340,
        "\t",
        [...CODE, "a\tb"].map((line) => line.trim()),
      ),
    ],
    ["Read", rows(340, (at) => `→user ${at}`)],
  ])("are thinned if they number the lines of a file: results of %s, %#", (name, text) => {
    expect(seen(name, text).actions).toContain("line_numbers");
  });

  test.each(["cat nums.txt", "head -n 40 nums.txt", "sed -n '1,40p' nums.txt"])(
    "stay with their padding if a shell shows a file without numbering it: %s",
    (command) => {
      const listing = CODE.map((line, at) => `${String(at + 1).padStart(6)}\t${line}`).join("\n");
      const messages = resultOf("Bash", listing, JSON.stringify({ command }));
      for (const level of ["safe", "structural"] as const)
        expect(compact(messages, { level, references: true }).messages).toBe(messages);
      expect(
        seen("Bash", listing, { command: command.replace("nums.txt", "a.go | cat -n") }).actions,
      ).toEqual(["gutter_padding", "line_numbers"]);
    },
  );

  test("stay before the rows of a table that a shell numbers, without their padding", () => {
    const listing = rows(0, (at) => `\t${8_000 + at}\tservice ${at}`).replaceAll(/^\d+/gm, (id) =>
      id.padStart(6),
    );
    const { messages, actions } = seen("Bash", listing.slice(listing.indexOf("\n") + 1), {
      command: "cat -n ports.tsv",
    });
    expect(actions).toEqual(["gutter_padding"]);
    expect(messages[1]?.content).toStartWith("1\t8001\tservice 1\n2\t8002\tservice 2\n");
  });
});

test("JSON that a table would not shorten only loses its white space", () => {
  const rows = Array.from({ length: 6 }, (_, at) => [String(at), `2026-03-0${at + 1}`, null]);
  const messages = resultOf("query", JSON.stringify({ rows }, null, 2));
  const { messages: shown, actions } = compact(messages, { level: "structural", references: true });
  expect(shown[1]?.content).toBe(JSON.stringify({ rows }));
  expect(actions).toEqual(["json_whitespace"]);
});
