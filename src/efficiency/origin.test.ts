import { describe, expect, test } from "bun:test";
import { createOrigins } from "./origin.ts";

const call = (json: string) => ({ id: "c", name: "Read", arguments: json });

describe("names of texts", () => {
  test.each([
    ['{"path":"./a.ts"}', 'Read "./a.ts"'],
    ['{ "path" : "./a.ts", "limit": 5 }', 'Read "./a.ts"'],
    ['{"limit":5,"path":"./a.ts"}', "Read 5"],
    ['{"say":"a \\"b\\" \\\\"}', 'Read "a \\"b\\" \\\\"'],
    [`{"text":"${"x".repeat(99)}"}`, `Read "${"x".repeat(48)}"`],
    [`{"text":"${"x".repeat(47)}\\n${"y".repeat(9)}"}`, `Read "${"x".repeat(47)}\\n"`],
    ['{"list":["a"]}', 'Read ["a"'],
    ["{}", "Read"],
    ["", "Read"],
    ["not JSON", "Read"],
  ])("of the call %s begin with its first value", (json, name) => {
    expect(createOrigins().ofToolResult(call(json))).toBe(name);
  });

  test("tell the second from the first", () => {
    const origins = createOrigins();
    const names = [1, 2, 3].map(() => origins.ofToolResult(call('{"path":"a"}')));
    expect(names).toEqual(['Read "a"', 'Read "a" #2', 'Read "a" #3']);
    expect(origins.ofArguments(call('{"path":"a"}'))).toBe('call Read "a"');
    expect([origins.ofMessage("user"), origins.ofMessage("user")]).toEqual([
      "user message",
      "user message #2",
    ]);
    expect(origins.ofToolResult(undefined)).toBe("tool result");
  });
});
