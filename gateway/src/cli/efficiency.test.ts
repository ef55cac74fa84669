import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { previewBody } from "../app/preview-body.ts";
import { inspectConfig } from "../app/settings.ts";
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
    servedAddress: refused,
    inspectCatalog: refused,
    tryProviders: refused,
    async previewBody(json, options) {
      const { config } = inspectConfig({ BURSAR_DATA_DIR: folder }, folder);
      return previewBody(json, options, { config, catalog: null });
    },
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
  {
    role: "user",
    content: [
      { type: "text", text: "What does it say?" },
      { type: "image_url", image_url: { url: "https://example.com/a.png" } },
    ],
  },
  { role: "assistant", content: null, tool_calls: [CALL] },
  { role: "tool", tool_call_id: "c1", content: LINES },
];

describe("bursar efficiency preview", () => {
  test("shows what changes, what stays, and the numbers", async () => {
    const { code, out } = await run(file("body.json", { model: "m", messages: MESSAGES }));
    expect(code).toBe(0);
    expect(out).toContain("#1 user  What does it say? (image_url)");
    expect(out).toContain("  -      1→const value = 0;");
    expect(out).toContain("  + 1→const value = 0;");
    expect(out).toMatch(
      /before +\d+ tokens\n +after +\d+ tokens\n +saved +\d+ tokens \(\d+\.\d %\)\n +by +gutter_padding/,
    );
  });

  test("accepts an array of messages and prints one object", async () => {
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

  test("treats a result in several parts alike in a chat and in a response", async () => {
    const orders = LINES.replaceAll(/^ +\d+→/gm, "").replaceAll("value", "order");
    const parts = (type: string) => [orders, LINES].map((text) => ({ type, text }));
    const names = ["account_activity", "orders_of"];
    const messages = names.flatMap((name, at) => {
      const call = { id: name, type: "function", function: { name, arguments: '{"account":"42"}' } };
      const content = at === 0 ? parts("text") : orders;
      return [
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: name, content },
      ];
    });
    const input = names.flatMap((name, at) => [
      { type: "function_call", call_id: name, name, arguments: '{"account":"42"}' },
      { type: "function_call_output", call_id: name, output: at === 0 ? parts("input_text") : orders },
    ]);
    const shown = await Promise.all(
      [{ messages }, { input }].map(async (body, at) => {
        const path = file(`parts${at}.json`, { model: "m", ...body });
        const { out } = await run(path, "--level", "structural", "--json");
        return JSON.parse(out);
      }),
    );
    const [chat, response] = shown.map((answer) => answer.messages ?? answer.input);
    expect(chat[1].content).toEqual(parts("text"));
    expect(response[1].output).toEqual(parts("input_text"));
    expect(chat[3].content).toBe(
      '§same as account_activity "42" from `const order = 0` to `const order = 29;`',
    );
    expect(response[3].output).toBe(chat[3].content);
  });

  test("accepts the body of a response", async () => {
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
    ];
    const body = file("response.json", { model: "m", instructions: "Be brief.", input });
    const answer = JSON.parse((await run(body, "--level", "structural", "--json")).out);
    expect(answer.changed).toEqual([5, 6]);
    expect(answer.input[5].output).toStartWith("§lines 1-30, every 5th numbered\n");
    expect(answer.input[6].output).toEqual([{ type: "input_text", text: '§same as Read "a.ts"' }]);
    expect(answer.input.toSpliced(5, 2)).toEqual(input.toSpliced(5, 2));
    const { out } = await run(body, "--level", "structural");
    expect(out).toContain('#4 function_call  Read {"path":"a.ts"}\n');
    expect(out).toContain("#8 custom_tool_call  apply_patch *** Begin Patch\n");
    expect(out).toContain("  + §same as Read");
    expect((await run(file("text.json", { input: "x" }))).out).toContain("#1 user  x");
  });

  test("reads a body as its route does: foreign items, several parts, and truncation", async () => {
    const call = (id: string, given: unknown) => ({
      type: "function_call",
      call_id: id,
      name: "Bash",
      arguments: given,
    });
    const result = (id: string, output: unknown) => ({ type: "function_call_output", call_id: id, output });
    const said = (content: unknown) => ({ type: "message", role: "assistant", content });
    const words = Array.from({ length: 40 }, (_, at) => `On line ${at} stands ${at * at}.`).join("\n");
    const text = { type: "output_text", text: words };
    const input = [
      { role: "user", content: "Go." },
      // None of these is ours: reasoning of another service and a shell call that no model of ours made.
      { type: "reasoning", summary: [], encrypted_content: "foreign" },
      said([text]),
      { type: "local_shell_call", call_id: "s1", action: {}, status: "completed" },
      { type: "local_shell_call_output", call_id: "s1", output: words },
      said([text, text]),
      said([{ ...text, annotations: [{ type: "url_citation", start_index: 0, end_index: 4 }] }]),
      call("c1", { command: "ls" }),
      result("c1", words),
      said(words),
      call("c2", { command: "ls" }),
      result("c2", [text, text]),
    ];
    const shown = async (more: object) =>
      JSON.parse((await run(file("odd.json", { input, ...more }), "--level", "structural", "--json")).out);
    const { changed, input: after } = await shown({});
    expect(changed).toEqual([8]);
    expect(after[8].output).toStartWith("§same as assistant message");
    expect(after[7]).toEqual(call("c1", { command: "ls" }));
    // Nothing may refer to what could be dropped before it is read.
    expect(JSON.stringify(await shown({ truncation: "auto" }))).not.toContain("§same as");
  });

  test("reads fenced results with --fences, as the main interface does", async () => {
    const rows = Array.from({ length: 12 }, (_, at) => ({ id: at, name: `row ${at}`, isOpen: true }));
    const content = `See:\n\`\`\`\n${JSON.stringify(rows)}\n\`\`\`\n`;
    const body = file("main.json", { messages: [{ role: "user", content }] });
    const flags = ["--level", "structural", "--json"];
    const { changed, messages } = JSON.parse((await run(body, ...flags, "--fences")).out);
    expect(changed).toEqual([0]);
    expect(messages[0].content).toContain('{"§cols":');
    expect(JSON.parse((await run(body, ...flags)).out).changed).toEqual([]);
    const { err } = await run(file("tools.json", MESSAGES), "--fences");
    expect(err).toContain("messages[0].content: must be a string");
  });

  test("changes nothing at level off", async () => {
    const { out } = await run(file("off.json", MESSAGES), "--level", "off", "--json");
    expect(JSON.parse(out)).toMatchObject({ tokens_saved: 0, actions: [], changed: [] });
  });

  test("says what is wrong with a file", async () => {
    expect(await run(file("bad.json", "{"))).toMatchObject({ code: 2, out: "" });
    expect((await run(file("cut.json", '{"a":'))).err).toContain("must be valid JSON; it ends too early");
    expect((await run(file("other.json", { prompt: "x" }))).err).toContain("is refused. messages: must be");
    expect((await run(join(folder, "none.json"))).err).toContain("cannot be read");
    expect((await run(file("level.json", []), "--level", "brutal")).err).toContain(
      "one of off, safe, structural",
    );
  });
});
