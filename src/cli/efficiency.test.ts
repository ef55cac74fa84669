import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "./run-cli.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bursar-efficiency-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The command opens nothing, so it needs no services. */
async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const untouched = () => Promise.reject(new Error("opened"));
  const refused = () => {
    throw new Error("opened");
  };
  const code = await runCli(["efficiency", "preview", ...argv], {
    terminal: {
      colors: false,
      write: (text) => {
        out += text;
      },
      writeError: (text) => {
        err += text;
      },
    },
    version: "1.2.3",
    inspectConfig: refused,
    inspectCatalog: refused,
    openDatabase: untouched,
    openServices: untouched,
    serve: untouched,
  });
  return { code, out, err };
}

function file(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

const LINES = Array.from(
  { length: 30 },
  (_, at) => `${String(at + 1).padStart(6)}→const value = ${at};`,
).join("\n");
const CALL = { id: "c1", type: "function", function: { name: "Read", arguments: '{"path":"a.ts"}' } };
const MESSAGES = [
  { role: "user", content: [{ type: "text", text: "What does it say?" }, { type: "image_url" }] },
  { role: "assistant", content: null, tool_calls: [CALL] },
  { role: "tool", tool_call_id: "c1", content: LINES },
];

describe("bursar efficiency preview", () => {
  test("shows what changes, what stays, and the numbers", async () => {
    const { code, out } = await run(file("body.json", { model: "m", messages: MESSAGES }));
    expect(code).toBe(0);
    expect(out).toContain("#1 user  What does it say? (other)");
    expect(out).toContain("  -      1→const value = 0;");
    expect(out).toContain("  + 1→const value = 0;");
    expect(out).toMatch(
      /before +\d+ tokens\n +after +\d+ tokens\n +saved +\d+ tokens \(\d+\.\d %\)\n +by +gutter_padding/,
    );
  });

  test("takes an array of messages and answers one object", async () => {
    const { out } = await run(file("array.json", MESSAGES), "--level", "structural", "--json");
    const answer = JSON.parse(out);
    expect(answer).toMatchObject({
      level: "structural",
      changed: [2],
      actions: ["gutter_padding", "line_numbers"],
    });
    expect(answer.tokens_saved).toBe(answer.original_estimated_tokens - answer.compacted_estimated_tokens);
    expect(answer.messages[1]).toEqual({ role: "assistant", content: null, tool_calls: [CALL] });
    expect(answer.messages[2].content).toStartWith("§lines 1-30, every 5th numbered\n");
  });

  test("takes the body of a response", async () => {
    const call = (id: string) => ({
      type: "function_call",
      call_id: id,
      name: "Read",
      arguments: '{"path":"a.ts"}',
    });
    const result = (id: string, output: unknown) => ({ type: "function_call_output", call_id: id, output });
    const patch = { type: "custom_tool_call", call_id: "c3", name: "apply_patch", input: "*** Begin Patch" };
    const input = [
      { role: "user", content: [{ type: "input_text", text: "What does it say?" }] },
      { type: "reasoning", summary: [{ type: "summary_text", text: "Read it." }], encrypted_content: "x" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
      call("c1"),
      call("c2"),
      result("c1", LINES),
      result("c2", [{ type: "input_text", text: LINES }]),
      patch,
      { type: "custom_tool_call_output", call_id: "c3", output: "done" },
      { type: "item_reference", id: "unknown" },
    ];
    const body = file("response.json", { model: "m", instructions: "Be brief.", input });
    const answer = JSON.parse((await run(body, "--level", "structural", "--json")).out);
    expect(answer.changed).toEqual([3, 4]);
    expect(answer.messages.map(({ role }: { role: string }) => role).join(" ")).toBe(
      "system user assistant tool tool assistant tool",
    );
    expect(answer.messages[2]).toMatchObject({
      content: "I look.",
      tool_calls: [{ id: "c1" }, { id: "c2" }],
    });
    expect(answer.messages[4].content[0].text).toBe('§same as Read "a.ts"');
    expect(answer.messages[5].tool_calls[0].function.arguments).toBe('{"input":"*** Begin Patch"}');
    const { out } = await run(file("text.json", { input: "x" }));
    expect(out).toContain("#1 user  x");
  });

  test("changes nothing at the level off", async () => {
    const { out } = await run(file("off.json", MESSAGES), "--level", "off", "--json");
    expect(JSON.parse(out)).toMatchObject({ tokens_saved: 0, actions: [], changed: [] });
  });

  test("says what is wrong with a file", async () => {
    expect(await run(file("bad.json", "{"))).toMatchObject({ code: 2, out: "" });
    expect((await run(file("other.json", { prompt: "x" }))).err).toContain("holds no messages");
    expect((await run(join(folder, "none.json"))).err).toContain("cannot be read");
    expect((await run(file("level.json", []), "--level", "brutal")).err).toContain(
      "one of off, safe, structural",
    );
  });
});
