import { describe, expect, test } from "bun:test";
import { createOrigins } from "./origin.ts";

const call = (json: string) => ({ id: "c", name: "Read", arguments: json });

describe("names of texts", () => {
  test.each([
    ['{"path":"./a.ts"}', 'Read "./a.ts"'],
    ['{ "path" : "./a.ts", "limit": 5 }', 'Read "./a.ts"'],
    ['{"limit":5,"path":"./a.ts"}', 'Read "./a.ts"'],
    ['{"requires_approval":false,"command":"make"}', 'Read "make"'],
    ['{"description":"Build it","command":"make"}', 'Read "make"'],
    ['{"command":"view","path":"./a.ts"}', 'Read "./a.ts"'],
    ['{"command":"view","view_range":[1,9],"file":"./a.ts"}', 'Read "./a.ts"'],
    ['{"command":"view"}', 'Read "view"'],
    ['{"command":"npm test","path":"./a"}', 'Read "npm test"'],
    ['{"profile":"prod","command":"deploy"}', 'Read "deploy"'],
    ['{"old_string":"","new_string":"b","file_path":"./a.ts"}', 'Read "./a.ts"'],
    ['{"content":"a \\"path\\":\\"b\\" {","more":{"path":"c"},"filePath":"./a.ts"}', 'Read "./a.ts"'],
    ['{"old":"","new":"b"}', 'Read "b"'],
    ['{"say":"a \\"b\\" \\\\"}', 'Read "a \\"b\\" \\\\"'],
    ['{"list":["a"]}', 'Read "a"'],
    ['{"command":["bash","-lc",["x"],"make"]}', 'Read "make"'],
    ['{"id":7,"isNew":true}', "Read 7"],
    ['{"isNew":true,"none":null}', "Read"],
    ["{}", "Read"],
    ["", "Read"],
    ["not JSON", "Read"],
    ['["a"]', "Read"],
    ['{"path":"never closed', 'Read "never closed"'],
    ['{"path":"a\nb"}', "Read"],
  ])("of the call %s say what it is about", (json, name) => {
    expect(createOrigins().ofToolResult(call(json))).toBe(name);
  });

  const FOLDERS = "/srv/acme/team-one/order-service/src/main/java/com/acme/orders";
  test.each([
    ["a path at its front", `${FOLDERS}/Service3.java`, "…/src/main/java/com/acme/orders/Service3.java"],
    ["a folder, too", `${FOLDERS}/`, "…/order-service/src/main/java/com/acme/orders/"],
    ["a name without folders", "x".repeat(99), `…${"x".repeat(48)}`],
    ["words at their end", `say ${"x".repeat(99)}`, `say ${"x".repeat(44)}…`],
    ["no escape in two", `say ${"x".repeat(43)}\\n${"y".repeat(9)}`, `say ${"x".repeat(43)}…`],
    ["no letter in two", `say ${"x".repeat(43)}😀${"y".repeat(9)}`, `say ${"x".repeat(43)}…`],
    ["no letter in two at the front", `${"x".repeat(9)}😀${"y".repeat(47)}`, `…${"y".repeat(47)}`],
    ["no number of a letter", `${"x".repeat(9)}\\u00e9${"y".repeat(45)}`, `…${"y".repeat(45)}`],
    ["no pair of numbers", `${"x".repeat(9)}\\ud83d\\ude00${"y".repeat(40)}`, `…${"y".repeat(40)}`],
    ["what is too long for a path", "x".repeat(401), `${"x".repeat(48)}…`],
  ])("shorten %s", (_, value, shown) => {
    expect(createOrigins().ofToolResult(call(`{"path":"${value}"}`))).toBe(`Read "${shown}"`);
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
