import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../test/fastest.ts";
import { compact } from "../compact.ts";
import type { ChatMessage } from "../message.ts";

function shown(name: string, content: string): unknown {
  const call = { id: "c", name, arguments: '{"command":"x"}' };
  const messages: ChatMessage[] = [
    { role: "assistant", content: null, toolCalls: [call] },
    { role: "tool", toolCallId: "c", content },
  ];
  return compact(messages, { level: "structural", references: true }).messages[1]?.content;
}

const PATHS = ["main", "watch", "parse", "render"].map(
  (name) => `/srv/project/packages/service/src/${name}.test.ts`,
);
const WARNINGS = Array.from({ length: 6 }, () => "warning: the cache is cold, and will be for a while");

describe("lines of output", () => {
  test("share how they begin, in whole words", () => {
    expect(shown("Bash", PATHS.join("\n"))).toBe(
      "§each of 4 lines: /srv/project/packages/service/src/…\nmain.test.ts\nwatch.test.ts\nparse.test.ts\nrender.test.ts",
    );
  });

  test("around matches in a file share its path, but no code", () => {
    const code = [
      "function cut(text) {",
      "  const kind = kindOf(text);",
      "  if (kind === 0) return;",
      "  go(text);",
    ];
    const found = code.map(
      (line, at) => `src/efficiency/steps/cut.ts${at === 1 ? ":65:" : `-${64 + at}-`}${line}`,
    );
    for (const name of ["Grep"]) {
      expect(shown(name, found.join("\n"))).toBe(
        "§each of 4 lines: src/efficiency/steps/cut.ts…\n-64-function cut(text) {\n:65:  const kind = kindOf(text);\n-66-  if (kind === 0) return;\n-67-  go(text);",
      );
    }
  });

  test.each(["… the middle", "…"])(
    "that cannot be shared because of %s are checked within 150 ms",
    (dots) => {
      const lines = Array.from({ length: 10_000 }, (_, at) => `${dots} of a queue, ${at}`);
      expect(fastestMs(() => shown("Bash", lines.join("\n")), 3, 150)).toBeLessThan(150);
    },
  );

  test("stay if they are indented, as code is", () => {
    const calls = PATHS.map((path) => `    self.client_of_the_request.send("${path}")`).join("\n");
    expect(shown("Bash", calls)).toBe(calls);
  });

  test("stay unchanged in files, and in results of unknown tools", () => {
    const text = [...PATHS, ...WARNINGS].join("\n");
    expect(shown("Read", text)).toBe(text);
    expect(shown("oracle", text)).toBe(text);
  });

  test("stay if sharing saves nothing", () => {
    for (const text of [
      PATHS.slice(0, 1).join("\n").repeat(3),
      "a\nb\n".repeat(60),
      "  x = 1;\n  y = 2;\n".repeat(9),
    ]) {
      expect(shown("Bash", text)).toBe(text);
    }
  });
});
