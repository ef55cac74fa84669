import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createNames } from "../../expand/expand-names.ts";
import { createOrigins } from "./origin.ts";

const call = (json: string, name = "Read") => ({ id: "c", name, arguments: json });
const read = (path: string) => call(JSON.stringify({ path }));

describe("names of texts", () => {
  test.each([
    ['{"path":"./a.ts"}', 'Read "./a.ts"'],
    ['{ "path" : "./a.ts", "limit": 5 }', 'Read "./a.ts"'],
    ['{"limit":5,"path":"./a.ts"}', 'Read "./a.ts"'],
    ['{"description":"Build it","command":"make"}', 'Read "make"'],
    ['{"command":"view","path":"./a.ts"}', 'Read "./a.ts"'],
    ['{"path":"./src","pattern":"alpha"}', 'Read "alpha"'],
    ['{"file_pattern":"*.ts","say":"a"}', 'Read "*.ts"'],
    ['{"profile":"prod","command":"deploy"}', 'Read "deploy"'],
    ['{"old_string":"","new_string":"b","file_path":"./a.ts"}', 'Read "./a.ts"'],
    ['{"say":"a \\"b\\" \\\\"}', 'Read "a \\"b\\" \\\\"'],
    ['{"command":["bash","-lc","make"]}', 'Read "bash","-lc","make"'],
    ['{"urls":["https://a.org", "https://b.org"]}', 'Read "https://a.org", "https://b.org"'],
    ['{"id":17}', "Read 17"],
    ['{"id":-1.5,"say":"no"}', 'Read "no"'],
    ['{"path":"cut off', 'Read "cut off"'],
    ["{}", "Read"],
    ["", "Read"],
  ])("of the call %s name its main argument", (json, name) => {
    expect(createOrigins().ofToolResult(call(json))()).toBe(name);
    expect(createOrigins().ofArguments(call(json))()).toBe(`call ${name}`);
  });

  test("show the beginning and the end of a long argument, in whole letters", () => {
    const path = `/srv/${"a-folder/".repeat(9)}src/main.ts`;
    expect(createOrigins().ofToolResult(read(path))()).toBe(
      'Read "/srv/a-folder/a-folder/a-folder/…er/a-folder/a-folder/src/main.ts"',
    );
    const name = createOrigins().ofToolResult(read("😀".repeat(40)))();
    expect(name.isWellFormed()).toBe(true);
    expect(createOrigins().ofToolResult(call(`{"say":"${"\\n".repeat(40)}"}`))()).toMatch(
      /^Read "(\\n){16}…(\\n){16}"$/,
    );
  });

  test("are numbered if they are the same, from the second text on", () => {
    const origins = createOrigins();
    const [one, two] = [origins.ofToolResult(read("a")), origins.ofToolResult(read("a"))];
    // Nothing refers to the text that is being read.
    expect([one(), two()]).toEqual(['Read "a"', 'Read "a" #2']);
    const other = origins.ofMessage("user");
    expect([one(), two(), other()]).toEqual(['Read "a" #1', 'Read "a" #2', "user message"]);
    expect(origins.ofToolResult(undefined)()).toBe("tool result");
  });

  test("are the same for the decoder, which makes them in its own way", () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'ab/.é😀"\\\n §…') }),
      fc.constantFrom("x".repeat(70), "y/".repeat(99), "\\".repeat(70)),
    );
    const key = fc.constantFrom("path", "command", "query", "file_pattern", "note", "profile", "n");
    const value = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.integer(), fc.boolean());
    const json = fc.dictionary(key, value).map((members) => JSON.stringify(members));
    fc.assert(
      fc.property(fc.array(json, { maxLength: 9 }), (calls) => {
        const [ours, theirs] = [createOrigins(), createNames()];
        const made = calls.map((one) => [ours.ofToolResult(call(one)), theirs.ofResult(call(one))] as const);
        for (const [own, other] of made) expect(own()).toBe(other());
      }),
    );
  });
});
