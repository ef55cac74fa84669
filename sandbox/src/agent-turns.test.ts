import { describe, expect, test } from "bun:test";
import type {
  ChatEvent,
  ChatMessage,
  ChatRequest,
  ReasoningPart,
  ToolCall,
} from "../../gateway/src/contract/index.ts";
import { answerChat, type TokenEstimator } from "./engine.ts";

const byWords: TokenEstimator = {
  estimateTokens: (text) => text.split(/\s+/).filter(Boolean).length,
  estimatePromptTokens: ({ messages }) => messages.length,
};

const SYSTEM: ChatMessage = {
  role: "system",
  content: "You are an agent. [sandbox:error=500] ".repeat(2_000),
};
const ENVIRONMENT: ChatMessage = {
  role: "user",
  content: [{ type: "text", text: "<environment_context>\n  <shell>bash</shell>\n</environment_context>" }],
};
const REMINDER: ChatMessage = {
  role: "user",
  content: "<system-reminder>The todo list is empty. Use the read tool.</system-reminder>",
};
const STATE: ChatMessage = {
  role: "user",
  content: [
    {
      type: "text",
      text: '<<<BEGIN_AGENT_CONTEXT>>>\nConversation data: "Read sessions: none"\n<<<END_AGENT_CONTEXT>>>',
    },
  ],
};
const NOTE: ChatMessage = { role: "developer", content: "Approval is never asked for." };
const PICTURE: ChatMessage = {
  role: "user",
  content: [
    { type: "text", text: "Attached image(s) from tool result:" },
    { type: "image", url: "data:image/png;base64,AAAA" },
  ],
};
const CALL = '[sandbox:call=bash {"command": "ls -la"}] [sandbox:call=spawn {"prompt": "go"}]';

const TOOLS = ["read", "bash", "agents__spawn", "apply_patch"].map((name) => ({
  name,
  description: `The ${name} tool. `.repeat(200),
  parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
}));

type Answer = {
  text: string;
  refusal: string;
  calls: ToolCall[];
  reasoning: ReasoningPart[];
  reason: string;
};

async function ask(messages: readonly ChatMessage[], more: Partial<ChatRequest> = {}): Promise<Answer> {
  const request = { messages, maxOutputTokens: 1_000, tools: TOOLS, ...more };
  const answer: Answer = { text: "", refusal: "", calls: [], reasoning: [], reason: "" };
  let thought = "";
  const read = (event: ChatEvent) => {
    if (event.type === "text") answer.text += event.text;
    else if (event.type === "refusal") answer.refusal += event.text;
    else if (event.type === "reasoning") thought += event.text;
    else if (event.type === "reasoning_signature")
      answer.reasoning.push({ text: thought, signature: event.signature });
    else if (event.type === "tool_start")
      answer.calls.push({ id: event.id, name: event.name, arguments: "" });
    else if (event.type === "tool_arguments") {
      const call = answer.calls[event.call];
      if (call) answer.calls[event.call] = { ...call, arguments: call.arguments + event.text };
    } else if (event.type === "finish") answer.reason = event.reason;
  };
  const context = { requestId: "r", signal: new AbortController().signal };
  for await (const batch of answerChat(byWords, request, context)) batch.forEach(read);
  return answer;
}

function resultsOf({ calls, reasoning }: Answer): ChatMessage[] {
  const said: ChatMessage = { role: "assistant", content: null, toolCalls: calls, reasoning };
  return [said, ...calls.map(({ id }) => ({ role: "tool", toolCallId: id, content: `from ${id}` }) as const)];
}

const WRAPPED: [string, ChatMessage[]][] = [
  ["alone", [{ role: "user", content: CALL }]],
  ["quoted by a shell", [{ role: "user", content: JSON.stringify(CALL) }]],
  ["after the environment", [ENVIRONMENT, { role: "user", content: CALL }]],
  ["before a reminder", [{ role: "user", content: CALL }, REMINDER, NOTE]],
  ["before the agent's state", [{ role: "user", content: CALL }, STATE]],
  [
    "between blocks of one message",
    [
      {
        role: "user",
        content: [
          { type: "text", text: "<system-reminder>Use the read tool.</system-reminder>" },
          { type: "text", text: CALL },
          { type: "text", text: "<open_files>read.ts</open_files>" },
        ],
      },
    ],
  ],
  ["in a block of its own", [{ role: "user", content: `<current_goal>${CALL}</current_goal>` }, REMINDER]],
  [
    "in a task",
    [{ role: "user", content: `<task>${CALL}</task><environment_details>read</environment_details>` }],
  ],
];

describe("an agent's directive", () => {
  test.each(WRAPPED)(
    "%s is followed on the first turn, and its results are restated on the second",
    async (_where, prompt) => {
      const first = await ask([SYSTEM, ...prompt]);
      expect(first.reason).toBe("tool_calls");
      expect(first.calls).toMatchObject([
        { name: "bash", arguments: '{"command": "ls -la"}' },
        { name: "agents__spawn", arguments: '{"prompt": "go"}' },
      ]);
      const done = [SYSTEM, ...prompt, ...resultsOf(first)];
      for (const after of [[], [REMINDER], [NOTE], [STATE], [PICTURE], [PICTURE, REMINDER, NOTE]]) {
        const second = await ask([...done, ...after]);
        expect(second).toMatchObject({ reason: "stop", calls: [] });
        expect(second.text).toContain(`called bash and got: from ${first.calls[0]?.id}`);
        expect(second.text).toContain("called agents__spawn and got:");
      }
    },
  );

  test("is over when the user says something new", async () => {
    const prompt: ChatMessage[] = [{ role: "user", content: CALL }];
    const first = await ask(prompt);
    const second = await ask([
      ...prompt,
      ...resultsOf(first),
      { role: "user", content: "What is 2 + 2?" },
      REMINDER,
    ]);
    expect(second.text).toBe("Sandbox arithmetic: 2 + 2 = 4.");
  });

  test("is over when its answer is requested again by a JSON schema", async () => {
    const prompt: ChatMessage[] = [{ role: "user", content: CALL }];
    const first = await ask(prompt);
    const answered: ChatMessage[] = [
      ...prompt,
      ...resultsOf(first),
      { role: "assistant", content: "I called both." },
    ];
    expect(await ask(answered)).toMatchObject({ reason: "stop", calls: [] });
    const schema = { type: "object", properties: { done: { type: "boolean" } }, required: ["done"] };
    for (const tools of [TOOLS, []]) {
      const { text } = await ask(answered, {
        tools,
        responseFormat: { type: "json_schema", name: "x", schema },
      });
      expect(JSON.parse(text)).toEqual({ done: expect.any(Boolean) });
    }
  });

  test("keeps tagged blocks in an echo if no tools are offered", async () => {
    const { text } = await ask([{ role: "user", content: "[sandbox:echo]<a_b>x</a_b>" }], { tools: [] });
    expect(text).toBe("<a_b>x</a_b>");
  });
});

describe("an agent that must call a tool at every turn", () => {
  const text = { type: "string" };
  const taking = (name: string, properties: Record<string, unknown>) => ({
    name,
    parameters: { type: "object", properties, required: Object.keys(properties) },
  });
  const weather = taking("get_weather", { city: text });
  const answer = taking("answer", { answer: text });
  const prompt: ChatMessage = { role: "user", content: "What is the weather in Paris?" };
  const required = (tools: ChatRequest["tools"]) => ({ tools, toolChoice: "required" }) as const;
  const called = ({ calls }: Answer) => calls.map(({ name, arguments: said }) => [name, JSON.parse(said)]);
  const told = ({ calls }: Answer, content: string): ChatMessage[] => [
    { role: "assistant", content: null, toolCalls: calls },
    ...calls.map(({ id }) => ({ role: "tool", toolCallId: id, content }) as const),
  ];

  test("ends with the last tool listed and passes it the results of the calls before", async () => {
    const offered = required([weather, taking("get_time", { city: text }), answer]);
    const first = await ask([prompt], offered);
    expect(called(first)).toEqual([["get_weather", { city: "Paris" }]]);
    const second = await ask([prompt, ...told(first, "Sunny, 21 degrees")], offered);
    const line = "The sandbox called get_weather and got: Sunny, 21 degrees";
    expect(called(second)).toEqual([["answer", { answer: line }]]);
  });

  test("repeats none of the tools that it called for a prompt as long as another is left", async () => {
    const offered = required([answer, weather, taking("find_place", { query: text })]);
    const first = await ask([prompt], offered);
    const second = await ask([prompt, ...told(first, "Sunny")], offered);
    expect(second.calls.map(({ name }) => name)).toEqual(["find_place"]);
    const third = await ask([prompt, ...told(first, "Sunny"), ...told(second, "Found")], offered);
    expect(called(third)).toEqual([["answer", { answer: "The sandbox called find_place and got: Found" }]]);
    const next: ChatMessage = { role: "user", content: "And the weather in Oslo?" };
    const all = [prompt, ...told(first, "Sunny"), ...told(second, "Found"), ...told(third, "Done"), next];
    expect((await ask(all, offered)).calls.map(({ name }) => name)).toEqual(["get_weather"]);
  });
});

describe("an echo", () => {
  test("returns tagged blocks as written even if tools are offered", async () => {
    const content = "[sandbox:echo] before <my-block>x</my-block> after";
    expect((await ask([{ role: "user", content }])).text).toBe("before <my-block>x</my-block> after");
  });

  test("of an older message does not apply to a message that begins with a file name", async () => {
    const { text } = await ask([
      { role: "user", content: "[sandbox:echo] first" },
      { role: "assistant", content: "first" },
      { role: "user", content: "# TODO.md is broken, say hello" },
    ]);
    expect(text).toContain("TODO.md");
  });
});

describe("signed reasoning", () => {
  const prompt: ChatMessage[] = [{ role: "user", content: `[sandbox:reasoning=signed] ${CALL}` }];

  test("is reported missing only if it does not come back unchanged with the results", async () => {
    const first = await ask(prompt);
    expect(first.reasoning).toEqual([
      { text: expect.stringContaining("fixed rules"), signature: expect.any(String) },
    ]);
    expect((await ask([...prompt, ...resultsOf(first)])).text).toEndWith("Its signed reasoning came back.");
    const changed = first.reasoning.map((part) => ({ ...part, text: `${part.text}!` }));
    for (const reasoning of [[], changed]) {
      const { text } = await ask([...prompt, ...resultsOf({ ...first, reasoning })]);
      expect(text).toEndWith("Its signed reasoning did not come back.");
    }
  });
});

describe("a request", () => {
  test("for a refusal gets one instead of text and calls", async () => {
    const answer = await ask([{ role: "user", content: `[sandbox:refusal] ${CALL}` }]);
    expect(answer).toMatchObject({ text: "", calls: [], reason: "stop" });
    expect(answer.refusal).toContain("sandbox declines");
  });

  test("with images and files is answered with a list of them", async () => {
    const content = [
      { type: "text", text: "Hello" } as const,
      { type: "image", url: "https://a.example/b.png" } as const,
      { type: "file", data: "AAAA", filename: "report.pdf" } as const,
      { type: "file", data: "AAAA" } as const,
    ];
    expect((await ask([{ role: "user", content }])).text).toContain(
      "(Received: an image, report.pdf, a file;",
    );
  });

  test("for an unknown response_format is refused with the name of that field", async () => {
    const body = { response_format: { type: "json_schem" } };
    const wire = { kind: "chat_completions" as const, body };
    await expect(ask([{ role: "user", content: "Hello" }], { wire })).rejects.toThrow("response_format: ");
  });

  test("for hosted features that no price covers is refused, except for tools of the Responses API", async () => {
    const hosted = { tools: [{ type: "web_search" }] };
    const asking = (kind: "chat_completions" | "responses", body: Readonly<Record<string, unknown>>) =>
      ask([{ role: "user", content: "Hello" }], { wire: { kind, body } });
    for (const body of [{ web_search_options: {} }, { plugins: [{ id: "web" }] }, hosted]) {
      const [field] = Object.keys(body);
      await expect(asking("chat_completions", body)).rejects.toMatchObject({ detail: { field } });
    }
    // Agents list them unasked, and can do without them.
    expect((await asking("responses", hosted)).reason).toBe("stop");
  });

  test("with an unsupported content part is refused with the name of that part", async () => {
    const content = [{ type: "other", name: "input_video" } as const];
    const publicMessage = "This model does not take input_video parts.";
    for (const [kind, field] of [
      ["chat_completions", "messages"],
      ["responses", "input"],
    ] as const) {
      const asked = ask([{ role: "user", content }], { wire: { kind, body: {} } });
      await expect(asked).rejects.toMatchObject({ publicMessage, detail: { field } });
    }
  });
});
