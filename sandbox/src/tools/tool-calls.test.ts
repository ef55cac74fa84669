import { describe, expect, test } from "bun:test";
import type { ChatRequest, Tool } from "../../../gateway/src/contract/index.ts";
import { fastestMs } from "../../../test/fastest.ts";
import { PLAIN_SCRIPT, type Script } from "../directives/directives.ts";
import { createRandom } from "../random.ts";
import { decideCalls } from "./tool-calls.ts";

function tool(name: string, properties: Record<string, unknown>): Tool {
  return { name, parameters: { type: "object", properties, required: Object.keys(properties) } };
}

const text = { type: "string" };
const weather = tool("get_weather", { city: text });
const TOOLS = [weather, tool("get_time", { city: text }), tool("bash", { command: text }), tool("read", {})];

type Options = {
  tools?: readonly Tool[];
  toolChoice?: ChatRequest["toolChoice"];
  script?: Partial<Script>;
  hasResults?: boolean;
  called?: readonly string[];
  wireFields?: Record<string, unknown>;
};

function decide(prompt: string, options: Options = {}) {
  const { tools = TOOLS, toolChoice, wireFields } = options;
  const request: ChatRequest = {
    messages: [{ role: "user", content: prompt }],
    maxOutputTokens: 100,
    tools,
    ...(toolChoice === undefined ? {} : { toolChoice }),
    ...(wireFields === undefined ? {} : { wireFields }),
  };
  const turn = {
    toolResults: options.hasResults ? [{ name: "bash", text: "done" }] : [],
    called: new Set(options.called),
  };
  return decideCalls({
    request,
    prompt,
    script: { ...PLAIN_SCRIPT, ...options.script },
    turn,
    random: createRandom(1),
  });
}

/** Calls as `name {arguments}`; the outcome if nothing is called. */
function callsOf(prompt: string, options: Options = {}): string[] {
  const decision = decide(prompt, options);
  if (decision.outcome !== "call") return [decision.outcome];
  return decision.calls.map((call) => `${call.name} ${call.arguments}`);
}

describe("the first tool that a prompt names is called", () => {
  test.each([
    ["What is the weather in Paris?", 'get_weather {"city":"Paris"}'],
    ["The time, then the weather", 'get_time {"city":"Paris"}'],
    ["Please use get_time", 'get_time {"city":"Paris"}'],
    ["Use the read tool", "read {}"],
    ["Read this to me", "answer"],
    ["Rewrite the readme", "answer"],
    ["Is it the sometimes-get_weatherly one?", "answer"],
    ["Hello", "answer"],
  ])("%j: %s", (prompt, expected) => {
    expect(callsOf(prompt)).toEqual([expected]);
  });

  test("by its name within its namespace, and in the words of a name in camel case", () => {
    const tools = [tool("getCurrentWeather", {}), tool("agents__spawn_one", { prompt: text })];
    expect(callsOf("Weather please", { tools })).toEqual(["getCurrentWeather {}"]);
    expect(callsOf("Now spawn one", { tools })).toEqual(['agents__spawn_one {"prompt":"Now spawn one"}']);
  });

  test("but not twice for the same prompt", () => {
    const options = { hasResults: true, toolChoice: "required", called: ["get_weather"] } as const;
    expect(callsOf("The weather?", { ...options, tools: TOOLS.slice(0, 2) })).toEqual([
      'get_time {"city":"Paris"}',
    ]);
  });
});

describe("the caller's tool choice takes precedence over the prompt", () => {
  test("none calls nothing, and explains it if a directive requests a call", () => {
    expect(callsOf("The weather in Paris?", { toolChoice: "none" })).toEqual(["answer"]);
    const script = { calls: [{ name: "bash", arguments: "{}" }] };
    expect(callsOf("", { toolChoice: "none", script })).toEqual(["explain"]);
  });

  test("required calls the first tool if the prompt names none, and after results the last", () => {
    expect(callsOf("Hello", { toolChoice: "required" })).toEqual(['get_weather {"city":"Paris"}']);
    const after = { toolChoice: "required", hasResults: true, called: ["get_weather"] } as const;
    expect(callsOf("Hello", after)).toEqual(["read {}"]);
  });

  test("a named tool is called once, even after results", () => {
    for (const hasResults of [false, true]) {
      expect(callsOf("Hi", { toolChoice: { name: "get_time" }, hasResults })).toEqual([
        'get_time {"city":"Paris"}',
      ]);
    }
  });
});

describe("a call that a directive dictates", () => {
  test("is made as written, several in one reply", () => {
    const script = {
      calls: [
        { name: "bash", arguments: '{"command": "ls"}' },
        { name: "get_time", arguments: null },
      ],
    };
    expect(callsOf("", { script })).toEqual(['bash {"command": "ls"}', 'get_time {"city":"Paris"}']);
  });

  test("may name a tool without its namespace", () => {
    const tools = [tool("agents__spawn", { prompt: text }), tool("spawn__other", {})];
    const script = { calls: [{ name: "spawn", arguments: "{}" }] };
    expect(callsOf("", { tools, script })).toEqual(["agents__spawn {}"]);
    expect(callsOf("", { tools, script, toolChoice: { name: "agents__spawn" } })).toEqual([
      "agents__spawn {}",
    ]);
  });

  test("is made alone if the caller takes no parallel calls", () => {
    const calls = ["bash", "read"].map((name) => ({ name, arguments: "{}" }));
    expect(callsOf("", { script: { calls }, wireFields: { parallel_tool_calls: false } })).toEqual([
      "bash {}",
    ]);
  });

  test("is answered with the offered tools if it names no offered one", () => {
    const decision = decide("", { script: { calls: [{ name: "nope", arguments: null }] } });
    expect(decision).toMatchObject({ outcome: "explain", text: expect.stringContaining("get_weather") });
  });

  test("is not made again once its result is there", () => {
    const script = { calls: [{ name: "bash", arguments: "{}" }] };
    expect(callsOf("The weather in Rome", { script, hasResults: true })).toEqual(["answer"]);
  });
});

test("ids are repeatable and differ between calls", () => {
  const script = { calls: ["bash", "read", "bash"].map((name) => ({ name, arguments: "{}" })) };
  const ids = () => {
    const decision = decide("", { script });
    return decision.outcome === "call" ? decision.calls.map(({ id }) => id) : [];
  };
  expect(ids()).toEqual(ids());
  expect(new Set(ids()).size).toBe(3);
});

describe("all calls of one reply together take less than 250 ms", () => {
  const options = Array.from({ length: 10_000 }, (_, at) => `option_number_${at}_is_long`);
  const thousand = (items: unknown) => ({ type: "array", minItems: 1000, items });
  test.each<[string, unknown]>([
    ["long lists of many options", thousand({ enum: options })],
    ["lists of lists", thousand(thousand({ type: "integer" }))],
    ["long texts", thousand({ type: "string", minLength: 10_000 })],
  ])("with %s", (_name, color) => {
    const script = { calls: Array(16).fill({ name: "paint", arguments: null }) };
    const tools = [tool("paint", { color })];
    expect(callsOf("", { tools, script })).toHaveLength(16);
    expect(fastestMs(() => decide("", { tools, script }), 3, 250)).toBeLessThan(250);
  });
});

test("hostile tools and prompts are read quickly", () => {
  const tools = Array.from({ length: 10_000 }, (_, at) => tool(at % 2 === 0 ? "a" : "get_a_b_c_d", {}));
  const runMs = fastestMs(() => {
    decide("ba".repeat(100_000), { tools });
    decide("a ".repeat(100_000), { tools: [weather, tool("a_".repeat(60), {})] });
    decide(`run ${"get ".repeat(100_000)}`, { tools: TOOLS });
  });
  expect(runMs).toBeLessThan(250);
});
