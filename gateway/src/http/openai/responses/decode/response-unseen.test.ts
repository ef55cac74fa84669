import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { checkNothingForgotten, junk, loosely, words } from "../../unseen/unseen-testing.ts";
import { decode, seals } from "../testing.ts";

const LONG = "y".repeat(30_000);
const user = { role: "user", content: "hi" };
const unseenIn = (body: Record<string, unknown>) =>
  decode({ input: [user], ...body }).prompt.unseenTokens ?? 0;
const unseenWith = (...items: unknown[]) => unseenIn({ input: [user, ...items] });

describe("fields of ordinary requests are not held for twice", () => {
  test.each<[string, Record<string, unknown>]>([
    ["a text", { input: LONG, instructions: LONG }],
    ["messages in parts", { input: [{ ...user, content: [{ type: "input_text", text: LONG }] }] }],
    [
      "an image",
      { input: [{ ...user, content: [{ type: "input_image", image_url: `data:,${LONG}`, detail: "low" }] }] },
    ],
    [
      "a screenshot",
      {
        input: [
          user,
          {
            type: "computer_call_output",
            call_id: "c1",
            output: { type: "computer_screenshot", image_url: `data:,${LONG}`, detail: "original" },
          },
        ],
      },
    ],
    ["a file by its URL", { input: [{ ...user, content: [{ type: "input_file", file_url: LONG }] }] }],
    [
      "calls and their results",
      {
        input: [
          user,
          {
            type: "function_call",
            id: "fc_1",
            call_id: "c1",
            name: "f",
            arguments: LONG,
            status: "completed",
          },
          { type: "function_call_output", call_id: "c1", output: LONG },
          { type: "custom_tool_call", call_id: "c2", name: "p", input: LONG },
          { type: "tool_search_call", execution: "client", call_id: "c3", arguments: { query: LONG } },
        ],
      },
    ],
    [
      "messages between agents",
      {
        input: [
          { type: "agent_message", content: [{ type: "input_text", text: LONG }] },
          { type: "agent_message", content: [{ type: "encrypted_content", encrypted_content: `${LONG} x` }] },
        ],
      },
    ],
    [
      "reasoning in plain text",
      {
        input: [
          user,
          { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: LONG }] },
          { type: "function_call", call_id: "c1", name: "f", arguments: "{}" },
        ],
      },
    ],
    [
      "tools and a schema",
      {
        tools: [
          { type: "function", name: "f", description: LONG, parameters: { a: LONG }, strict: true },
          { type: "custom", name: "p", format: { type: "grammar", syntax: "lark", definition: LONG } },
          { type: "namespace", name: "n", tools: [{ type: "function", name: "g", description: LONG }] },
        ],
        text: { format: { type: "json_schema", name: "s", schema: { a: LONG } } },
      },
    ],
    [
      "a namespace's description, if one of its tools is offered",
      {
        tools: [
          { type: "namespace", name: "n", description: LONG, tools: [{ type: "function", name: "g" }] },
        ],
      },
    ],
    [
      "tools of the input",
      {
        input: [
          { type: "additional_tools", tools: [{ type: "function", name: "f", description: LONG }] },
          user,
        ],
      },
    ],
    [
      "settings",
      {
        store: false,
        include: ["reasoning.encrypted_content"],
        reasoning: { effort: "low" },
        client_metadata: { a: "b".repeat(400) },
      },
    ],
  ])("%s", (_, body) => {
    expect(unseenIn(body)).toBe(0);
  });

  test("for sealed reasoning, the hold covers the signatures in it", () => {
    const encrypted_content = seals.reasoningSeal.seal([{ text: LONG, signature: "s".repeat(4_000) }]);
    const call = { type: "function_call", call_id: "c1", name: "f", arguments: "{}" };
    expect(unseenWith({ type: "reasoning", summary: [], encrypted_content }, call)).toBe(1_000);
  });
});

describe("what an upstream reads and the estimate does not cover is held for", () => {
  test("a screenshot, as one image, by URL or with its bytes", () => {
    const shot = (output: unknown) => ({ type: "computer_call_output", call_id: "c1", output });
    const shown = (image_url: unknown) => shot({ type: "computer_screenshot", image_url });
    const images = (...items: unknown[]) => decode({ input: [user, ...items] }).prompt.unseenImages;
    expect(images(shown("https://example.com/a.png"), shown("data:image/png;base64,AA=="))).toBe(2);
    expect(images()).toBeUndefined();
    for (const other of [shot(LONG), shot({ text: LONG }), shown({ words: LONG })]) {
      expect(images(other)).toBeUndefined();
      expect(unseenWith(other)).toBeGreaterThan(9_000);
    }
  });

  const late = { type: "function", name: "f", description: LONG };
  test.each<[string, Record<string, unknown>]>([
    ["an unknown field", { documents: [LONG] }],
    ["a hosted tool", { tools: [{ type: "web_search", user_location: LONG }] }],
    [
      "the description of a namespace without tools",
      { tools: [{ type: "namespace", name: "n", description: LONG, tools: [] }] },
    ],
    [
      "a namespace in a namespace",
      { tools: [{ type: "namespace", name: "n", tools: [{ type: "namespace", tools: [null, LONG] }] }] },
    ],
    ["a tool that is offered again", { tools: [late, { type: "function", name: "f" }] }],
    [
      "a tool that tool_choice leaves out",
      {
        tools: [late, { type: "function", name: "g" }],
        tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "g" }] },
      },
    ],
    [
      "a schema's description",
      { text: { format: { type: "json_schema", name: "s", description: LONG, schema: {} } } },
    ],
  ])("%s", (_, body) => {
    expect(unseenIn(body)).toBeGreaterThan(9_000);
  });

  test.each<[string, unknown[]]>([
    [
      "a summary",
      [{ type: "reasoning", summary: [{ type: "summary_text", text: LONG }], encrypted_content: "x" }],
    ],
    ["a tool search of another service", [{ type: "tool_search_call", arguments: { query: LONG } }]],
    ["an unknown item", [{ type: "memory", text: LONG }]],
    ["an item with a very long type", [{ type: LONG }]],
    ["a part of an unknown type", [{ ...user, content: [{ type: "document", text: LONG }] }]],
    [
      "a file's URL beside its data",
      [{ ...user, content: [{ type: "input_file", file_data: "x", file_url: LONG }] }],
    ],
    [
      "the result of a call without a neutral form",
      [
        { type: "local_shell_call", call_id: "l1" },
        { type: "function_call_output", call_id: "l1", output: LONG },
      ],
    ],
    ["tools listed by an MCP server", [{ type: "mcp_list_tools", tools: [{ name: LONG }] }]],
    [
      "a name that is shortened",
      [{ type: "function_call", call_id: "c1", name: LONG, namespace: "n", arguments: "" }],
    ],
  ])("%s", (_, items) => {
    expect(unseenWith(...items)).toBeGreaterThan(9_000);
  });

  test("text encrypted by another service, by a token for four characters", () => {
    expect(unseenWith({ type: "reasoning", summary: [], encrypted_content: LONG })).toBe(7_500);
    expect(unseenWith({ type: "compaction", encrypted_content: LONG })).toBe(7_500);
  });
});

const id = fc.string({ minLength: 1, maxLength: 12 });
const part = fc.oneof(
  loosely({ type: fc.constantFrom("input_text", "output_text", "text", "summary_text"), text: words }, [
    "type",
    "text",
  ]),
  loosely({ type: fc.constant("refusal"), refusal: words }, ["type", "refusal"]),
  loosely(
    {
      type: fc.constant("input_image"),
      image_url: fc.oneof(words, loosely({ url: words }, ["url"])),
      detail: words,
    },
    ["type", "image_url"],
  ),
  loosely({ type: fc.constant("input_file"), file_data: words, file_url: words, filename: words }, ["type"]),
  loosely(
    { type: fc.constant("input_audio"), input_audio: loosely({ data: words }, ["data"]), data: words },
    ["type", "data"],
  ),
  loosely({ type: fc.constantFrom("document", "thinking"), text: words }, ["type"]),
);
const content = fc.oneof(words, fc.array(part, { maxLength: 3 }));
const name = fc.constantFrom("f", "g", "h");
const functionTool = loosely(
  {
    type: fc.constant("function"),
    name,
    description: words,
    parameters: fc.dictionary(words, junk, { maxKeys: 2 }),
  },
  ["type", "name"],
);
const customTool = loosely(
  {
    type: fc.constant("custom"),
    name,
    description: words,
    format: loosely({ type: fc.constantFrom("text", "grammar"), definition: words, syntax: words }, [
      "type",
      "definition",
    ]),
  },
  ["type", "name"],
);
const plainTool = fc.oneof(
  functionTool,
  customTool,
  loosely({ type: fc.constant("mcp"), tools: junk }, ["type"]),
);
const tool = fc.oneof(
  plainTool,
  loosely({ type: fc.constant("namespace"), name: id, tools: fc.array(plainTool, { maxLength: 2 }) }, [
    "type",
    "name",
    "tools",
  ]),
);
const item = fc.oneof(
  loosely(
    {
      type: fc.constantFrom("message", undefined),
      role: fc.constantFrom("user", "assistant", "developer"),
      content,
    },
    ["role", "content"],
  ),
  loosely(
    { type: fc.constant("function_call"), call_id: id, name: words, namespace: words, arguments: words },
    ["type", "call_id", "name", "arguments"],
  ),
  loosely({ type: fc.constant("custom_tool_call"), call_id: id, name: words, input: words }, [
    "type",
    "call_id",
    "name",
    "input",
  ]),
  loosely(
    {
      type: fc.constantFrom("function_call_output", "custom_tool_call_output"),
      call_id: fc.constantFrom("a", "b"),
      output: content,
    },
    ["type", "call_id", "output"],
  ),
  loosely(
    {
      type: fc.constant("tool_search_call"),
      call_id: fc.constantFrom("a", "b"),
      execution: fc.constantFrom("client", "server"),
      arguments: junk,
    },
    ["type"],
  ),
  loosely({ type: fc.constant("reasoning"), encrypted_content: words, summary: junk, content: junk }, [
    "type",
  ]),
  loosely(
    {
      type: fc.constantFrom("additional_tools", "tool_search_output"),
      call_id: fc.constantFrom("a", "b"),
      tools: fc.array(tool, { maxLength: 2 }),
    },
    ["type", "tools"],
  ),
  loosely(
    {
      type: fc.constantFrom("compaction", "local_shell_call"),
      call_id: fc.constantFrom("a", "b"),
      encrypted_content: junk,
    },
    ["type"],
  ),
);
const body = loosely(
  {
    input: fc.oneof(
      words,
      fc.array(item, { maxLength: 4 }).map((items) => [user, ...items]),
    ),
    instructions: words,
    tools: fc.array(tool, { maxLength: 3 }).map((tools) => [{ type: "function", name: "g" }, ...tools]),
    tool_choice: fc.constantFrom("auto", {
      type: "allowed_tools",
      mode: "auto",
      tools: [{ type: "function", name: "g" }],
    }),
    text: loosely({
      verbosity: words,
      format: fc.oneof(
        loosely({ type: fc.constantFrom("text", "json_object") }, ["type"]),
        loosely(
          {
            type: fc.constant("json_schema"),
            name: id,
            description: words,
            schema: fc.dictionary(words, junk, { maxKeys: 2 }),
          },
          ["type", "name", "schema"],
        ),
      ),
    }),
    user: words,
    metadata: fc.dictionary(words, words, { maxKeys: 2 }),
  },
  ["input", "tools"],
);

test("every generated body is refused as invalid, or all of its text is in the estimate or held for", () => {
  const { accepted } = checkNothingForgotten(body, (given) => decode(given).prompt);
  expect(accepted).toBeGreaterThan(500);
});
