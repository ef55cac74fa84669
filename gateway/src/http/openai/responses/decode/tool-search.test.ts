import { expect, test } from "bun:test";
import type { FinishReason } from "../../../../contract/index.ts";
import { answerWith, paidFor } from "../../chat/chat-testing.ts";
import { outputOf } from "../responses.ts";
import { responseReplySchema } from "../responses-schema.ts";
import {
  argumentsOf,
  decode,
  done,
  events,
  finish,
  formsFor,
  outputIn,
  start,
  streamed,
} from "../testing.ts";

const parameters = { type: "object", properties: { query: { type: "string" } }, required: ["query"] };
const search = { type: "tool_search", execution: "client", description: "Finds tools.", parameters };
const user = { role: "user", content: "Book a room." };
const searched = {
  type: "tool_search_call",
  call_id: "c1",
  execution: "client",
  status: "completed",
  arguments: { query: "rooms", limit: 3 },
};
const found = (...tools: unknown[]) => ({
  type: "tool_search_output",
  call_id: "c1",
  execution: "client",
  status: "completed",
  tools,
});
const book = { type: "function", name: "book", description: "Books.", parameters, defer_loading: true };
const calendar = { type: "namespace", name: "mcp__cal", tools: [book, { type: "mcp", name: "far" }] };

test("a tool search that the client runs is a function for providers of other wires", () => {
  const { prompt } = decode({ input: "hi", tools: [search], tool_choice: "required" });
  expect(prompt.tools).toEqual([{ name: "tool_search", description: "Finds tools.", parameters }]);
  expect(prompt.toolChoice).toBe("required");
});

test("a tool search that the client does not run is omitted", () => {
  for (const tool of [{ type: "tool_search" }, { ...search, execution: "server" }]) {
    expect(decode({ input: "hi", tools: [tool] }).prompt.tools).toBeUndefined();
  }
});

test("allowed_tools may name a tool search", () => {
  const choice = { type: "allowed_tools", mode: "auto", tools: [{ type: "tool_search" }] };
  const { prompt } = decode({ input: "hi", tools: [book, search], tool_choice: choice });
  expect(prompt.tools?.map(({ name }) => name)).toEqual(["tool_search"]);
});

test.each([
  ["before", (other: object) => [other, search]],
  ["after", (other: object) => [search, other]],
])(
  "a function named tool_search may be offered %s a tool search; calls of the two are kept apart",
  (_where, toolsWith) => {
    const other = { type: "function", name: "tool_search", description: "Another." };
    const input = [
      user,
      { type: "function_call", call_id: "c0", name: "tool_search", arguments: "{}" },
      searched,
    ];
    const { prompt, table } = decode({ input, tools: toolsWith(other) });
    const nameOf = (said: string) =>
      prompt.tools?.find(({ description }) => description === said)?.name ?? "";
    const [own, others] = [nameOf("Finds tools."), nameOf("Another.")];
    expect(prompt.tools).toHaveLength(2);
    expect(table.callerTool(own)).toEqual({ kind: "search", name: "tool_search" });
    expect(table.callerTool(others)).toEqual({ kind: "function", name: "tool_search" });
    const [, turn] = prompt.messages;
    expect(turn).toMatchObject({ toolCalls: [{ name: others }, { name: own }] });
    const only = (tools: object[]) =>
      decode({
        input: "hi",
        tools: toolsWith(other),
        tool_choice: { type: "allowed_tools", mode: "auto", tools },
      }).prompt.tools?.map(({ description }) => description);
    expect(only([{ type: "tool_search" }])).toEqual(["Finds tools."]);
    expect(only([other])).toEqual(["Another."]);
  },
);

test("a search and its result are shown to the model, and the tools that were found can be called", () => {
  const input = [user, searched, found(calendar, { type: "function", name: "list" })];
  const { prompt } = decode({ input, tools: [search] });
  const text = "These tools can be called now:\nmcp__cal__book\nlist";
  expect(prompt.messages.slice(1)).toEqual([
    {
      role: "assistant",
      content: null,
      toolCalls: [{ id: "c1", name: "tool_search", arguments: '{"query":"rooms","limit":3}' }],
    },
    { role: "tool", toolCallId: "c1", content: text },
  ]);
  expect(prompt.tools?.map(({ name }) => name)).toEqual(["tool_search", "mcp__cal__book", "list"]);
  expect(prompt.wire?.body["input"]).toBe(input);
});

test("a search that found nothing is shown as such", () => {
  const { prompt } = decode({ input: [user, searched, found()], tools: [search] });
  expect(prompt.messages.at(-1)).toMatchObject({ role: "tool", content: "No tools were found." });
});

test.each<[string, object, object]>([
  ["a search by another service", { ...searched, execution: "server" }, found(calendar)],
  ["a search without an id", { ...searched, call_id: null }, { ...found(calendar), call_id: null }],
  [
    "a search whose output has another id",
    { ...searched, execution: "server" },
    { ...found(calendar), call_id: "c2" },
  ],
])("%s is not shown to the model, but the tools that it found can be called", (_, call, output) => {
  const { prompt } = decode({ input: [user, call, output] });
  expect(prompt.messages).toEqual([{ role: "user", content: "Book a room." }]);
  expect(prompt.tools?.map(({ name }) => name)).toEqual(["mcp__cal__book"]);
});

/** The item, and the names of the events that streamed it. */
function itemOf(pieces: readonly string[], reason: FinishReason = "tool_calls") {
  const told = pieces.map((piece) => events(argumentsOf(0, piece)));
  const body = { tools: [search] };
  const parts = [events(start(0, "tool_search", "c1")), ...told, events(finish(reason)), done(reason)];
  const { events: seen, response, faults } = streamed(parts, body);
  expect(faults).toEqual([]);
  responseReplySchema.parse(response);
  const [item] = outputIn(response);
  const call = { id: "c1", name: "tool_search", arguments: pieces.join("") };
  const whole = answerWith({ toolCalls: [call], finishReason: reason });
  expect(JSON.parse(outputOf(paidFor([whole]).outcome, formsFor(body).maker))).toEqual([item]);
  const names = seen.map(({ type }) => type.replace("response.", ""));
  return { item, names: names.slice(2, -1) };
}

test("a model's call of the tool search is a tool_search_call, in a stream and in one piece", () => {
  const { item, names } = itemOf(['{"query":', '"rooms"}']);
  const said = { call_id: "c1", execution: "client", status: "completed", arguments: { query: "rooms" } };
  expect(item).toMatchObject({ type: "tool_search_call", id: expect.stringMatching(/^tsc_/), ...said });
  expect(names).toEqual(["output_item.added", "output_item.done"]);
  expect(itemOf([]).item?.["arguments"]).toEqual({});
});

test("a tool search that was cut has its partial arguments, and is incomplete", () => {
  const { item } = itemOf(['{"query":"ro'], "length");
  expect(item).toMatchObject({ status: "incomplete", arguments: '{"query":"ro' });
});

test("a tool_search_call of a reply is accepted in the next request", () => {
  const { item } = itemOf(['{"query":"rooms"}']);
  const { prompt } = decode({ input: [user, item, found(calendar)], tools: [search] });
  expect(prompt.messages[1]).toMatchObject({ toolCalls: [{ id: "c1", arguments: '{"query":"rooms"}' }] });
});
