import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  charactersShownIn,
  checkNothingForgotten,
  junk,
  loosely,
  words,
} from "../../unseen/unseen-testing.ts";
import { decode } from "../testing.ts";

type Item = Readonly<Record<string, unknown>>;

const LONG = "y".repeat(30_000);
const user = { role: "user", content: "hi" };
const messagesOf = (...items: readonly Item[]) =>
  decode({ input: [user, ...items] }).prompt.messages.slice(1);
const wireInputOf = (input: readonly Item[]) => decode({ input }).prompt.wire?.body["input"];

const exec = { type: "exec", command: ["ls"], env: {} };
const patch = { type: "update_file", path: "a.ts", diff: "+x" };
const local = { type: "local_shell_call", id: "lsh_1", call_id: "c1", action: exec, status: "completed" };
const shell = { type: "shell_call", id: "sh_1", call_id: "c1", action: { commands: ["ls", "cat b"] } };
const applied = { type: "apply_patch_call", call_id: "c1", status: "completed", operation: patch };
const resultOf = (call: Item, output: unknown, more = {}) => ({
  type: `${call["type"]}_output`,
  call_id: call["call_id"],
  output,
  ...more,
});
const exit = (code: number) => ({ type: "exit", exit_code: code });

const PAIRS: readonly (readonly [string, Item, Item, { name: string; given: unknown; text: string }])[] = [
  ["a local shell", local, resultOf(local, "a.ts\n"), { name: "local_shell", given: exec, text: "a.ts\n" }],
  [
    "a local shell with a function's output",
    local,
    { type: "function_call_output", call_id: "c1", output: "a.ts" },
    { name: "local_shell", given: exec, text: "a.ts" },
  ],
  [
    "a local shell with a function's output in parts",
    local,
    {
      type: "function_call_output",
      call_id: "c1",
      output: [
        { type: "input_text", text: "a.ts" },
        { type: "input_text", text: "b.ts" },
      ],
    },
    { name: "local_shell", given: exec, text: "a.ts\nb.ts" },
  ],
  [
    "a local shell whose result names the call in its id",
    local,
    { type: "local_shell_call_output", id: "c1", output: "a.ts" },
    { name: "local_shell", given: exec, text: "a.ts" },
  ],
  [
    "a shell",
    shell,
    resultOf(shell, [
      { stdout: "a.ts\n", stderr: "", outcome: exit(0) },
      { stdout: "", stderr: "no such file", outcome: exit(1) },
      { stdout: "", stderr: "", outcome: { type: "timeout" } },
    ]),
    {
      name: "shell",
      given: shell.action,
      text: "a.ts\nExit code: 0\nno such file\nExit code: 1\nTimed out",
    },
  ],
  [
    "a patch",
    applied,
    resultOf(applied, "no such file", { status: "failed" }),
    { name: "apply_patch", given: patch, text: "failed\nno such file" },
  ],
  [
    "a patch without output",
    applied,
    resultOf(applied, null, { status: "completed" }),
    { name: "apply_patch", given: patch, text: "completed" },
  ],
];

describe.each(PAIRS)("a call of %s and its result", (_, call, result, { name, given, text }) => {
  test("become a tool call and a tool message for every model, and are unchanged on the same wire", () => {
    expect(messagesOf(call, result)).toEqual([
      {
        role: "assistant",
        content: null,
        toolCalls: [{ id: "c1", name, arguments: JSON.stringify(given) }],
      },
      { role: "tool", toolCallId: "c1", content: text },
    ]);
    const input = [user, call, result];
    expect(wireInputOf(input)).toBe(input);
  });

  test("are not shown to models of other wires if they do not match", () => {
    expect(messagesOf(call)).toEqual([]);
    expect(messagesOf(call, user, result)).toEqual([{ role: "user", content: "hi" }]);
    expect(messagesOf(call, call, result)).toEqual([]);
    expect(messagesOf(call, result, result)).toEqual([]);
    expect(messagesOf({ ...call, action: "ls", operation: "x" }, result)).toEqual([]);
    expect(messagesOf(call, { ...result, output: 5 })).toEqual([]);
  });
});

describe("calls that the client runs", () => {
  test("are in one assistant message with the text and the calls beside them", () => {
    const said = { role: "assistant", content: "I look." };
    const other = { type: "function_call", call_id: "c2", name: "f", arguments: "{}" };
    const done = { type: "function_call_output", call_id: "c2", output: "done" };
    const [turn, ...results] = decode({ input: [said, local, other, done, resultOf(local, "a")] }).prompt
      .messages;
    expect(turn).toMatchObject({ content: "I look.", toolCalls: [{ id: "c1" }, { id: "c2" }] });
    expect(results.map((message) => "toolCallId" in message && message.toolCallId)).toEqual(["c2", "c1"]);
  });

  test("are omitted if their result comes in a later turn", () => {
    const other = { type: "function_call", call_id: "c2", name: "f", arguments: "{}" };
    const done = { type: "function_call_output", call_id: "c2", output: "done" };
    const { messages } = decode({
      input: [local, other, done, { role: "assistant", content: "so" }, resultOf(local, "a")],
    }).prompt;
    expect(messages.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant"]);
    expect(JSON.stringify(messages)).not.toContain("c1");
  });

  test("are kept separately in each turn, even if their ids repeat", () => {
    const again = { ...local, action: { ...exec, command: ["cat"] } };
    const done = { type: "function_call_output", call_id: "c1", output: "b" };
    const told = messagesOf(local, resultOf(local, "a"), again, done);
    expect(told.map(({ content }) => content)).toEqual([null, "a", null, "b"]);
    const asked = { type: "function_call", call_id: "c1", name: "f", arguments: "{}" };
    expect(messagesOf(local, resultOf(local, "a"), asked, done)).toHaveLength(4);
    expect(messagesOf(asked, done, local, resultOf(local, "a"))).toHaveLength(4);
  });

  test("are kept if another turn has an unreadable call with the same id", () => {
    const unread = { ...local, action: "ls" };
    const done = (output: string) => ({ type: "function_call_output", call_id: "c1", output });
    const heard = (...items: readonly Item[]) => messagesOf(...items).map(({ content }) => content);
    expect(heard(local, done("a"), unread, done(LONG))).toEqual([null, "a"]);
    expect(heard(unread, done(LONG), local, done("a"))).toEqual([null, "a"]);
    const said = { role: "assistant", content: "so" };
    expect(heard(local, done("a"), said, done(LONG))).toEqual([null, "a", "so"]);
  });

  test("do not match an output of another form or id", () => {
    const image = { type: "input_image", image_url: "data:image/png;base64,AA==" };
    const text = { type: "input_text", text: "a" };
    for (const result of [
      { type: "function_call_output", call_id: "c1", output: [text, image] },
      { type: "function_call_output", call_id: "c1", output: [text, "a"] },
      { type: "local_shell_call_output", id: "lsh_1", output: "a" },
      { type: "function_call_output", id: "c1", call_id: "c2", output: "a" },
    ]) {
      expect(JSON.stringify(messagesOf(local, result))).not.toContain("c1");
    }
  });

  test("have results that cannot be rewritten", () => {
    for (const [, call, result] of PAIRS.filter(([, , { type }]) => type !== "function_call_output")) {
      const { wire } = decode({ input: [user, call, result] }).prompt;
      expect(wire?.texts.isFixed?.(2)).toBe(true);
    }
  });

  test("have results that are marked as composed if several fields make up their text", () => {
    const isPutTogether = (call: Item, result: Item) =>
      decode({ input: [user, call, result] }).prompt.wire?.texts.isPutTogether?.(2);
    expect(isPutTogether(shell, resultOf(shell, [{ stdout: "a", outcome: exit(0) }]))).toBe(true);
    expect(isPutTogether(applied, resultOf(applied, "a", { status: "failed" }))).toBe(true);
    expect(isPutTogether(local, resultOf(local, "a"))).toBe(false);
  });

  test("get a name of their own if another tool of their name is offered", () => {
    const namesOf = (tools: readonly Item[], ...items: readonly Item[]) =>
      decode({ tools, input: [user, ...items] }).prompt.messages.flatMap((message) =>
        message.role === "assistant" ? (message.toolCalls ?? []).map(({ name }) => name) : [],
      );
    const pair = [applied, resultOf(applied, "a", { status: "completed" })];
    const custom = { type: "custom", name: "apply_patch" };
    expect(namesOf([], ...pair)).toEqual(["apply_patch"]);
    expect(namesOf([{ type: "apply_patch" }], ...pair)).toEqual(["apply_patch"]);
    const [own] = namesOf([custom], ...pair);
    expect(own).toStartWith("apply_patch_");
    const called = { type: "custom_tool_call", call_id: "c2", name: "apply_patch", input: "x" };
    const done = { type: "custom_tool_call_output", call_id: "c2", output: "done" };
    expect(namesOf([custom], ...pair, called, done)).toEqual([own ?? "", "apply_patch"]);
    const late = { type: "additional_tools", tools: [custom] };
    expect(namesOf([], ...pair, late)).toEqual([own ?? ""]);
  });

  test("are kept without the container that they ran in", () => {
    const environment = { type: "container_reference", container_id: "cntr_1" };
    const result = resultOf(shell, [{ stdout: "a" }]);
    expect(messagesOf({ ...shell, environment }, result)).toHaveLength(2);
    expect(messagesOf({ ...shell, environment, file_id: "file-1" }, result)).toEqual([]);
  });
});

describe("the hold for calls that the client runs", () => {
  const unseenIn = (...items: readonly Item[]) =>
    decode({ input: [user, ...items] }).prompt.unseenTokens ?? 0;

  test("does not cover their text twice", () => {
    expect(unseenIn({ ...local, action: { command: [LONG] } }, resultOf(local, LONG))).toBe(0);
    const parts = [{ stdout: LONG, stderr: LONG, outcome: exit(0) }];
    expect(unseenIn(shell, resultOf(shell, parts))).toBe(0);
    expect(
      unseenIn(
        { ...applied, operation: { ...patch, diff: LONG } },
        resultOf(applied, LONG, { status: "failed" }),
      ),
    ).toBe(0);
  });

  test.each<[string, readonly Item[]]>([
    ["a call without a result", [{ ...local, action: { command: [LONG] } }]],
    ["a result without a call", [resultOf(local, LONG)]],
    ["an unknown field of a call", [{ ...shell, operation: LONG }, resultOf(shell, [])]],
    ["an unknown field of a result", [local, resultOf(local, "a", { status: LONG })]],
    ["an unknown field of a command's result", [shell, resultOf(shell, [{ stdout: "a", created_by: LONG }])]],
    [
      "an unreadable call's result beside a readable one with the same id",
      [
        local,
        resultOf(local, "a"),
        { ...local, action: "ls" },
        { type: "function_call_output", call_id: "c1", output: LONG },
      ],
    ],
    [
      "an unknown field of an outcome",
      [shell, resultOf(shell, [{ stdout: "a", outcome: { type: "timeout", exit_code: LONG } }])],
    ],
  ])("covers %s by its size", (_, items) => {
    expect(unseenIn(...items)).toBeGreaterThan(9_000);
  });

  test("covers every text that the estimate does not", () => {
    const outcome = loosely({
      type: fc.constantFrom("exit", "timeout"),
      exit_code: fc.oneof(fc.nat(9), words),
    });
    const part = loosely({ stdout: words, stderr: words, outcome }, ["stdout"]);
    const pair = fc.constantFrom(local, shell, applied).chain((call) =>
      fc.tuple(
        loosely({ action: junk, operation: junk }).map((more) => ({ ...call, ...more })),
        loosely({ output: fc.oneof(words, junk, fc.array(part, { maxLength: 3 })), status: junk }).map(
          (more) => ({
            ...resultOf(call, ""),
            ...more,
          }),
        ),
      ),
    );
    const body = pair.map((items) => ({ input: [user, ...items] }));
    let told = 0;
    checkNothingForgotten(body, (given) => {
      const { prompt } = decode(given);
      if (prompt.messages.length > 1) told++;
      return prompt;
    });
    expect(told).toBeGreaterThan(50);
  });

  const some = (part: unknown) => Array.from({ length: 3_000 }, () => part);
  test.each<[string, readonly unknown[]]>([
    ["empty outputs", some({ stdout: "", stderr: "", outcome: null })],
    ["empty objects", some({})],
    ["outcomes only", some({ outcome: { type: "timeout" } })],
  ])("covers many parts of a result as those of an unknown item: %s", (_, parts) => {
    const items = [shell, resultOf(shell, parts)];
    expect(messagesOf(...items)).toHaveLength(2);
    expect(unseenIn(...items)).toBeGreaterThanOrEqual(unseenIn(...items.map(asUnknown)) - ROOM_TOKENS);
  });

  test("is, with the text that is shown, at least that of an unknown item of the same size", () => {
    const outcome = fc.oneof(
      fc.constantFrom(null, { type: "timeout" }),
      fc.nat(255).map((code) => exit(code)),
    );
    const part = fc.record({ stdout: words, stderr: words, outcome }, { requiredKeys: [] });
    const parts = fc
      .tuple(fc.array(part, { maxLength: 3 }), fc.nat(200))
      .map(([some, times]) => Array.from({ length: times }, () => some).flat());
    const status = fc.constantFrom("completed", "failed");
    const pair = fc.oneof(
      fc.tuple(fc.constant(local), words).map(([call, text]) => [call, resultOf(call, text)]),
      fc.tuple(fc.constant(shell), parts).map(([call, output]) => [call, resultOf(call, output)]),
      fc
        .tuple(fc.constant(applied), words, status)
        .map(([call, text, ended]) => [call, resultOf(call, text, { status: ended })]),
    );
    fc.assert(
      fc.property(pair, (items) => {
        const messages = messagesOf(...items);
        expect(messages).toHaveLength(2);
        const held = 3 * (unseenIn(...items) + ROOM_TOKENS) + charactersShownIn(messages);
        expect(held).toBeGreaterThanOrEqual(3 * unseenIn(...items.map(asUnknown)));
      }),
    );
  });
});

/** The overhead of two more messages, which an estimate counts beside their texts. */
const ROOM_TOKENS = 32;
const asUnknown = (item: Item): Item => ({ ...item, type: String(item["type"]).replace("_call", "_deed") });
