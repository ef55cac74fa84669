import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../test/fastest.ts";
import type { ChatMessage } from "../providers/index.ts";
import { compact } from "./compact.ts";

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
  test("that begin and end alike share both", () => {
    expect(shown("Bash", PATHS.join("\n"))).toBe(
      "§each of 4 lines: /srv/project/packages/service/src/…\nmain.test.ts\nwatch.test.ts\nparse.test.ts\nrender.test.ts",
    );
    const results = ["one", "two", "three"].map((name) => `    --- PASS: TestParser/${name} (0.00s)`);
    expect(shown("Bash", results.join("\n"))).toBe(
      "§each of 3 lines:     --- PASS: TestParser/… (0.00s)\none\ntwo\nthree",
    );
  });

  test("of one file are grouped, and numbers are not torn", () => {
    const matches = [48, 412, 4001].map((line) => `pkg/cloud/sync/manager.go:${line}:	return projectId`);
    expect(shown("Grep", matches.join("\n"))).toBe(
      "§each of 3 lines: pkg/cloud/sync/manager.go:…:	return projectId\n48\n412\n4001",
    );
  });

  test("that have dots themselves leave others in brackets where their own words stood", () => {
    const entries = [17, 180, 1900].map((id) => `10:05 INFO worker processing… item ${id} of the main queue`);
    expect(shown("Bash", entries.join("\n"))).toBe(
      "§each of 3 lines: 10:05 INFO worker processing… item […] of the main queue\n17\n180\n1900",
    );
    const shortened = entries.map((entry) => entry.replace("INFO", "[…]"));
    expect(shown("Bash", shortened.join("\n"))).toBe(shortened.join("\n"));
  });

  test.each(["…", "[…] …"])("that cannot be shared for their %s are looked at once", (dots) => {
    const lines = Array.from({ length: 10_000 }, (_, at) => `${dots} of a queue, ${at}`);
    expect(fastestMs(() => shown("Bash", lines.join("\n")))).toBeLessThan(150);
  });

  test("that come again are counted", () => {
    expect(shown("Bash", ["start", ...WARNINGS, "end"].join("\n"))).toBe(
      `start\n${WARNINGS[0]}\n§repeated 5 more\nend`,
    );
  });

  test("stay as they are in files, and where no tool is known", () => {
    const text = [...PATHS, ...WARNINGS].join("\n");
    expect(shown("Read", text)).toBe(text);
    expect(shown("oracle", text)).toBe(text);
  });

  test("stay where sharing saves nothing", () => {
    for (const text of [
      PATHS.slice(0, 1).join("\n").repeat(3),
      "a\nb\n".repeat(60),
      "  x = 1;\n  y = 2;\n".repeat(9),
    ]) {
      expect(shown("Bash", text)).toBe(text);
    }
  });
});
