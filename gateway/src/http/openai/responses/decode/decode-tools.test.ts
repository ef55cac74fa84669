import { describe, expect, test } from "bun:test";
import { decode } from "../testing.ts";

const offer = (tools: unknown, toolChoice?: unknown) =>
  decode({ input: "hi", tools, tool_choice: toolChoice });
const toolsOf = (tools: unknown, toolChoice?: unknown) => offer(tools, toolChoice).prompt.tools;
const f = { type: "function", name: "f" };
const parameters = { type: "object", properties: {} };
const space = (name: string, ...tools: unknown[]) => ({ type: "namespace", name, description: "", tools });

describe("tools of a responses request", () => {
  test("keep name, description, parameters and strictness of a function", () => {
    const tool = { ...f, description: "d", parameters, strict: true };
    expect(toolsOf([tool])).toEqual([{ name: "f", description: "d", parameters, strict: true }]);
    expect(toolsOf([{ ...f, description: null, parameters: null, strict: null }])).toEqual([{ name: "f" }]);
  });

  test("become a function with one text parameter if they are custom, with the grammar in the description", () => {
    const format = { type: "grammar", syntax: "lark", definition: 'start: "a"' };
    const [tool] = toolsOf([{ type: "custom", name: "patch", description: "Edits.", format }]) ?? [];
    expect(tool).toMatchObject({ name: "patch", parameters: { required: ["input"] } });
    expect(tool?.description).toMatch(/^Edits\..*lark.*start: "a"$/s);
  });

  test("in a namespace get flattened names, which lead back to the original ones", () => {
    const { prompt, table } = offer([space("agents", f, { type: "custom", name: "note" }), f]);
    expect(prompt.tools?.map(({ name }) => name)).toEqual(["agents__f", "agents__note", "f"]);
    expect(table.callerTool("agents__f")).toEqual({ kind: "function", name: "f", namespace: "agents" });
    expect(table.callerTool("agents__note")).toEqual({ kind: "custom", name: "note", namespace: "agents" });
    expect(table.callerTool("f")).toEqual({ kind: "function", name: "f" });
    expect(table.callerTool("made_up")).toEqual({ kind: "function", name: "made_up" });
  });

  test("in a namespace have its description before that of its first tool", () => {
    const said = (description: unknown) => {
      const tools = [
        { type: "web_search" },
        { ...f, description: "Finds." },
        { type: "custom", name: "note" },
      ];
      return toolsOf([{ ...space("n", ...tools), description }])?.map((tool) => tool.description);
    };
    const preface = "For all tools whose names begin with n__: Of files.";
    expect(said("Of files.")).toEqual([`${preface}\n\nFinds.`, undefined]);
    expect(said("")).toEqual(["Finds.", undefined]);
    expect(said(null)).toEqual(["Finds.", undefined]);
    expect(() => said(5)).toThrow("tools[0].description");
  });

  test("in a namespace are all allowed if allowed_tools names the namespace", () => {
    const choice = {
      type: "allowed_tools",
      mode: "auto",
      tools: [{ type: "namespace" }, { type: "namespace", name: "n" }],
    };
    const note = { type: "custom", name: "note" };
    const { prompt } = offer([f, space("n", f, note), space("m", f)], choice);
    expect(prompt.tools?.map(({ name }) => name)).toEqual(["n__f", "n__note"]);
  });

  test("never share a name, and have flattened names of at most 64 characters", () => {
    const long = { type: "function", name: "x".repeat(64) };
    const { prompt, table } = offer([{ type: "function", name: "a__f" }, space("a", f, long)]);
    const names = prompt.tools?.map(({ name }) => name) ?? [];
    expect(new Set(names).size).toBe(3);
    expect(names.every((name) => /^[\w-]{1,64}$/.test(name))).toBe(true);
    expect(names.map((name) => table.callerTool(name).namespace)).toEqual([undefined, "a", "a"]);
  });

  test("that are offered again replace the first ones", () => {
    expect(toolsOf([f, { ...f, description: "new" }])).toEqual([{ name: "f", description: "new" }]);
  });

  test("that only another service can run are omitted, and passed on on the same wire", () => {
    const tools = [
      { type: "web_search" },
      { type: "tool_search", execution: "server" },
      { type: "local_shell" },
      { type: "web_search_preview", search_context_size: "low" },
    ];
    const { prompt } = offer(tools, "required");
    expect([prompt.tools, prompt.toolChoice]).toEqual([undefined, undefined]);
    expect(prompt.wire?.body["tools"]).toBe(tools);
    expect(toolsOf([...tools, f])).toEqual([{ name: "f" }]);
  });
});

describe("tool_choice", () => {
  const g = { type: "custom", name: "g" };
  test.each([
    [undefined, undefined],
    [null, undefined],
    ["auto", "auto"],
    ["none", "none"],
    ["required", "required"],
    ["any", "required"],
    [f, { name: "f" }],
    [g, { name: "g" }],
    [{ ...f, namespace: "n" }, { name: "n__f" }],
    [{ type: "apply_patch" }, undefined],
    [{ type: "auto" }, undefined],
    [{ type: "any" }, undefined],
    [{ type: "tool", name: "f" }, undefined],
    [{ type: "local_shell" }, undefined],
    [{ type: "shell" }, undefined],
  ])("%j", (given, chosen) => {
    expect(offer([f, g, space("n", f)], given).prompt.toolChoice).toEqual(chosen as undefined);
  });

  test("allowed_tools leaves only the tools that it names", () => {
    const choice = { type: "allowed_tools", mode: "required", tools: [g, { type: "web_search" }] };
    const { prompt } = offer([f, g], choice);
    expect([prompt.tools?.map(({ name }) => name), prompt.toolChoice]).toEqual([["g"], "required"]);
  });

  test("allowed_tools may leave no tool if none is required, or a tool of this wire only", () => {
    const left = (mode: string, ...types: string[]) =>
      toolsOf([f], { type: "allowed_tools", mode, tools: types.map((type) => ({ type })) });
    expect(left("auto", "web_search")).toBeUndefined();
    expect(left("required", "web_search", "local_shell")).toBeUndefined();
    expect(left("required", "shell")).toBeUndefined();
    expect(left("required")).toBeUndefined();
  });

  test("is repeated in the reply in the form of the reply's schema", () => {
    const choice = { type: "allowed_tools", mode: "any", tools: [g] };
    expect(offer([f, g], choice).settings.tool_choice).toEqual({ ...choice, mode: "required" });
    expect(offer([f], "any").settings.tool_choice).toBe("required");
    expect(offer([f], f).settings.tool_choice).toBe(f);
  });
});

describe("invalid tools are refused with the field's name", () => {
  test.each([
    [5, undefined, "tools: must be a list"],
    [["f"], undefined, "tools[0]: must be an object"],
    [[{ name: "f" }], undefined, "tools[0].type: must be a string"],
    [[{ type: "function" }], undefined, "tools[0].name: must be a string that is not empty"],
    [[{ ...f, parameters: "x" }], undefined, "tools[0].parameters: must be an object"],
    [[{ ...f, strict: "x" }], undefined, "tools[0].strict: must be true or false"],
    [[{ type: "namespace", name: "n" }], undefined, "tools[0].tools: must be a list"],
    [[f, { type: "mcp", server_label: "x" }], undefined, "tools[1].type: must be a tool that this model has"],
    [[{ type: "file_search", vector_store_ids: ["vs_1"] }], undefined, "tools[0].type: must be a tool"],
    [[space("n", { type: "function" })], undefined, "tools[0].tools[0].name: must be a string"],
    [Array(1_025).fill(f), undefined, "tools: must be a list of at most 1024 tools"],
    [
      [space("n", ...Array.from({ length: 1_025 }, (_, at) => ({ type: "function", name: `f${at}` })))],
      undefined,
      "tools: must be a list of at most 1024 tools",
    ],
    [
      [
        space("n", ...Array.from({ length: 1_024 }, (_, at) => ({ type: "function", name: `f${at}` }))),
        { type: "tool_search", execution: "client" },
      ],
      undefined,
      "tools: must be a list of at most 1024 tools",
    ],
    [[f], "always", "tool_choice: must be auto, none, required"],
    [[f], { name: "f" }, "tool_choice.type: must be a string"],
    [[f], { type: "web_search" }, "tool_choice: names a tool that cannot run here"],
    [[f], { type: "web_search_preview_2025_03_11" }, "tool_choice: names a tool that cannot run here"],
    [[f], { type: "mcp", server_label: "x", name: "y" }, "tool_choice: names a tool that cannot run here"],
    ...["x_search", "code_execution", "collections_search", "code_interpreter"].map(
      (type) => [[f], { type }, "tool_choice: names a tool that cannot run here"] as const,
    ),
    [
      [f],
      { type: "allowed_tools", mode: "required", tools: [{ type: "web_search" }, { type: "x_search" }] },
      "tool_choice.tools: names a tool that cannot run here",
    ],
    [[f], { type: "function", name: "h" }, "tool_choice.name: must be the name of one of the tools"],
    [[f], { type: "allowed_tools", mode: "x", tools: [] }, "tool_choice.mode: must be auto or required"],
    [[f], { type: "allowed_tools", tools: 5 }, "tool_choice.tools: must be a list"],
  ])("%#", (tools, choice, says) => {
    expect(() => offer(tools, choice)).toThrow(says);
  });
});
