import { describe, expect, test } from "bun:test";
import { compact } from "../compact.ts";
import type { ChatMessage } from "../message.ts";

function shown(name: string, input: object, content: string): unknown {
  const messages: ChatMessage[] = [
    {
      role: "assistant",
      content: null,
      toolCalls: [{ id: "c", name, arguments: JSON.stringify(input) }],
    },
    { role: "tool", toolCallId: "c", content },
  ];
  return compact(messages, { level: "structural", references: true }).messages[1]?.content;
}

const STEPS = ["post", "check", "parse", "store", "count", "close", "report", "retry", "sign", "drop"];
const CODE = [
  ...STEPS.map((step) => `            response = self.client_of_the_request.${step}(response, body)`),
  "            if response is None:",
  ...STEPS.map((step) => `                self.logger.warning('no answer to %s in time', ${step})`),
];
const signed = (sign: string) => CODE.map((line) => sign + line).join("\n");
const HEAD = "diff --git a/c.py b/c.py\nindex 1111111..2222222 100644\n--- a/c.py\n+++ b/c.py\n";

describe("code is never split", () => {
  test.each([
    ["added lines", `${HEAD}@@ -40 +40,22 @@ class Client:\n${signed("+")}\n         return None\n`],
    ["removed lines", `${HEAD}@@ -40,22 +40 @@ class Client:\n${signed("-")}\n         return None\n`],
    ["unchanged lines", `${HEAD}@@ -40,21 +40,22 @@ class Client:\n${signed(" ")}\n+        return None\n`],
    ["lines of a merge", `${HEAD}@@@ -40,1 -40,1 +40,22 @@@ class Client:\n${signed("++")}\n`],
    ["lines below a title", `# the change\n@@ -40,0 +40,21 @@\n${signed("+")}\n`],
    ["lines without a head", `${signed("+")}\n`],
    ["comments without a head", STEPS.map((step) => `+ * what the client does to ${step}`).join("\n")],
    ["lines in the normal format of diff", `40a41,61\n${signed("> ")}\n52,72d60\n${signed("< ")}\n`],
    [
      "lines in the context format of diff",
      `*** 40,60 ****\n${signed("! ")}\n--- 40,60 ----\n${signed("  ")}\n`,
    ],
    ["lines of a second file", `${HEAD}@@ -1 +1 @@\n-a\n+b\n${HEAD}@@ -40 +40,22 @@\n a\n${signed("+")}\n`],
  ])("in a diff: %s", (_, text) => {
    for (const command of ["git diff", "gh pr diff 7", "diff -u a b"])
      expect(shown("Bash", { command }, text)).toBe(text);
  });

  test.each(["+", "++"])("while commands that a shell traces are folded: %s", (sign) => {
    const traced = STEPS.map((name) => `${sign} docker compose --project-directory /srv/shop exec ${name}`);
    expect(shown("Bash", { command: "bash -x a.sh" }, traced.join("\n"))).toContain("§each of 10 lines: ");
  });

  test.each([
    ["Bash", { command: "grep -A10 'def send' c.py" }],
    ["Bash", { command: "grep -h response src/c.py src/d.py" }],
    ["Bash", { command: "rg -N response src/c.py" }],
    ["Grep", { pattern: "response", path: "src/c.py", output_mode: "content" }],
    ["Grep", { pattern: "response", path: "src" }],
  ])("in search results: %s %j", (name, input) => {
    for (const text of [CODE.join("\n"), CODE.map((line, at) => `${at + 8}-${line}`).join("\n")])
      expect(shown(name, input, text)).toBe(text);
  });

  test("in search results with a path but no line number; only the path is folded", () => {
    const found = CODE.slice(0, 10).map((line) => `src/clients/of/the/api/client.py:${line}`);
    for (const [name, input] of [
      ["Bash", { command: "grep -r response src" }],
      ["Grep", { pattern: "response", path: "src" }],
    ] as const)
      expect(shown(name, input, found.join("\n"))).toBe(
        `§each of 10 lines: src/clients/of/the/api/client.py:…\n${CODE.slice(0, 10).join("\n")}`,
      );
  });

  test.each([
    ["a command", "/opt/tools/bin/deploy --to the-cluster --step "],
    ["a comment", "// what the next request has to say about "],
    ["a comment that is closed", "/* the client of the request is the */ f."],
    ["a variable", "FOLDER_OF_THE_CLIENT_OF_THE_API=/srv/"],
  ])("in search results whose lines begin like a path: %s", (_, begin) => {
    const text = STEPS.map((step) => begin + step).join("\n");
    expect(shown("Grep", { pattern: "the", output_mode: "content" }, text)).toBe(text);
  });

  test.each([
    ["on a drive", "C:\\Code\\anna\\projects\\shop\\src\\", ".tsx"],
    ["on a drive, with slashes", "C:/Code/anna/projects/shop/src/", ".tsx"],
    ["with a line of each", "C:\\Code\\anna\\projects\\shop\\src\\", ".tsx:  useState(0)"],
  ])("while found files share their folder: %s", (_, folder, behind) => {
    const files = STEPS.map((name) => folder + name + behind).join("\n");
    for (const name of ["Grep", "Glob"])
      expect(shown(name, { pattern: "x" }, files)).toStartWith(`§each of 10 lines: ${folder}…`);
  });

  test("while found files share their folder", () => {
    const files = STEPS.map((name) => `src/packages/of/the/service/${name}.ts`);
    for (const [name, input] of [
      ["Bash", { command: "grep -rl response src" }],
      ["Glob", { pattern: "**/*.ts" }],
    ] as const)
      expect(shown(name, input, files.join("\n"))).toStartWith(
        "§each of 10 lines: src/packages/of/the/service/…\n",
      );
  });
});
