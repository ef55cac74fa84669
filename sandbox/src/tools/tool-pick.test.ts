import { describe, expect, test } from "bun:test";
import type { Tool } from "../../../gateway/src/contract/index.ts";
import { bash, callsOf, text, tool, weather } from "./testing.ts";

const whole = { type: "integer" };
const search = tool("search", { query: text }, "Search the web for information");
const multiply = tool("multiply", { a: whole, b: whole }, "Multiply two integers");
const order = tool("lookup_order", { order_id: text });
const read = tool("read_file", { path: text }, "Read a file");
const write = tool("write", { path: text, content: text }, "Writes a file to disk");
const refund = tool("transfer_to_refund_agent", {}, "Handles refunds.");
const short = tool("W", { city: text }, "Get weather");
const event = tool("create_event", { city: text }, "Create an event in the calendar of a city");

describe("a tool that a prompt asks for in other words is called", () => {
  test.each<[Tool, string, string]>([
    [search, "Search the web for the capital of France", '{"query":"the capital of France"}'],
    [search, "Can you search the web for cats?", '{"query":"cats"}'],
    [tool("search", { query: text }), "Search for cats", '{"query":"cats"}'],
    [multiply, "What is 3 times 12? Use the tool.", '{"a":3,"b":12}'],
    [multiply, "What is 3 times 12? Please call your tool", '{"a":3,"b":12}'],
    [multiply, "What is 3 times 12 using the tool?", '{"a":3,"b":12}'],
    [order, "Where is my order A-17?", '{"order_id":"A-17"}'],
    [read, "Read main.py and tell me what it does", '{"path":"main.py"}'],
    [read, "Please show me src/main.py", '{"path":"src/main.py"}'],
    [tool("read", { path: text }), "Read main.py", '{"path":"main.py"}'],
    [refund, "I want a refund", "{}"],
    [short, "Get the weather of Paris", '{"city":"Paris"}'],
    [short, "Please fetch the weather of Paris", '{"city":"Paris"}'],
  ])("%#: %j", (offered, prompt, expected) => {
    expect(callsOf(prompt, { tools: [offered] })).toEqual([`${offered.name} ${expected}`]);
  });

  const forecast = "Get the current weather in a given city";
  test.each<[string, string, string]>([
    ["forecast", forecast, "What is the weather in Paris?"],
    ["w", forecast, "How is the weather in Paris?"],
    ["lookup", forecast, "Weather in Paris"],
    ["fn_1", forecast, "What's the weather like in Paris?"],
    ["w_post", forecast, "What is the current weather in Paris?"],
    ["fn_1", "Current weather of a city", "What is the weather in Paris?"],
    ["fn_1", "Provides weather for a city", "What is the weather in Paris?"],
    ["clock", "Tells the current time in a city", "What time is it in Paris?"],
    ["clock", "Returns the date and time of a place", "What time is it in Paris?"],
    ["fn_1", "Get the population of a city", "What is the population of Paris?"],
  ])("%s, by its description %j: %s", (name, description, prompt) => {
    const offered = tool(name, { city: text }, description);
    expect(callsOf(prompt, { tools: [offered, bash, write] })).toEqual([`${name} {"city":"Paris"}`]);
    const other = tool("fn_2", { city: text }, description);
    expect(callsOf(prompt, { tools: [offered, other] })).toEqual([`${name} {"city":"Paris"}`]);
  });

  test("each of two tools, by its description", () => {
    const clock = tool("clock", { city: text }, "Tells the current time in a city");
    const prompt = "What's the weather in Paris and what time is it in Tokyo?";
    for (const sky of [weather, tool("w", { city: text }, forecast)]) {
      const expected = [`${sky.name} {"city":"Paris"}`, 'clock {"city":"Tokyo"}'];
      expect(callsOf(prompt, { tools: [sky, clock] })).toEqual(expected);
    }
  });

  test("among several others", () => {
    const page = tool("webfetch", { url: text }, "Fetch content from a URL");
    const tools = [bash, write, multiply, search, refund, read, page];
    const address = "https://a.example/x";
    expect(callsOf(`Fetch ${address}`, { tools })).toEqual([`webfetch {"url":"${address}"}`]);
    expect(callsOf("Search the web for cats", { tools })).toEqual(['search {"query":"cats"}']);
    expect(callsOf("Read main.py", { tools })).toEqual(['read_file {"path":"main.py"}']);
    expect(callsOf("I want a refund", { tools })).toEqual(["transfer_to_refund_agent {}"]);
  });
});

describe("of several tools that read something, only the one that has the requested information is called", () => {
  const orders = [
    tool("get_order", { order_id: text }),
    { name: "list_orders", parameters: { type: "object", properties: { customer_id: text } } },
  ];
  const page = tool("webfetch", { url: text }, "- Fetches content from a specified URL");
  const grep = tool("grep", { pattern: text });
  const agent = [tool("read", { filePath: text }, "Read a file"), grep, page, bash];
  const folder = tool("list_directory", { path: text }, "List a directory");
  test.each<[string, Tool[], ...string[]]>([
    ["Where is my order 12345?", orders, 'get_order {"order_id":"12345"}'],
    ["What's the status of order #A-1009?", orders, 'get_order {"order_id":"A-1009"}'],
    ["Get order 9 and cancel it", orders, 'get_order {"order_id":"9"}'],
    ["Get order 9 and order 10", orders, 'get_order {"order_id":"9"}', 'get_order {"order_id":"10"}'],
    ["Show me all open orders", orders, "list_orders {}"],
    ["fetch https://example.com and summarize it", agent, 'webfetch {"url":"https://example.com"}'],
    ["List the files in this directory", agent, 'bash {"command":"ls"}'],
    ["List the files in src", agent, 'bash {"command":"ls src"}'],
    ["List the files in src", [folder, bash], 'list_directory {"path":"src"}'],
    ["List the files in this directory", [folder, bash], 'list_directory {"path":"."}'],
    [
      "Now the weather in Rome and Oslo",
      [weather],
      'get_weather {"city":"Rome"}',
      'get_weather {"city":"Oslo"}',
    ],
  ])("%j %#", (prompt, tools, ...expected) => {
    expect(callsOf(prompt, { tools })).toEqual(expected);
  });

  test.each<[string, Tool[]]>([
    ["search the web for bun release notes", agent],
    ["find all usages of foo in src/", [agent[0] ?? page]],
    ["Show me how to move files", [read]],
  ])("and none if none has it: %j", (prompt, tools) => {
    expect(callsOf(prompt, { tools })).toEqual(["answer"]);
  });
});

describe("a named tool is found, however many others come before it", () => {
  const others = Array.from({ length: 3000 }, (_, at) => tool(`fn_${at}`, { city: text }));
  test.each([
    ["get_weather", "call get_weather with city Lima"],
    ["getWeather", "Use getWeather for Lima"],
    ["weather__get", "Please call weather__get for Lima"],
    ["forecast.get", "Use forecast.get for Lima"],
  ])("%s: %s", (name, prompt) => {
    const named = tool(name, { city: text });
    for (const count of [255, 256, 3000])
      expect(callsOf(prompt, { tools: [...others.slice(0, count), named] })).toEqual([
        `${name} {"city":"Lima"}`,
      ]);
  });

  test("and so are two of them, each with its own argument", () => {
    const time = tool("get_time", { city: text });
    const tools = [time, ...others, weather];
    expect(callsOf("Call get_weather for Lima and get_time for Oslo", { tools })).toEqual([
      'get_weather {"city":"Lima"}',
      'get_time {"city":"Oslo"}',
    ]);
  });
});

describe("no tool is called if the prompt does not ask for it", () => {
  test.each<[Tool, string]>([
    [search, "Hello"],
    [search, "Do not search the web"],
    [search, "How does search work?"],
    [search, "What is the web?"],
    [search, "I will search the web tomorrow"],
    [search, "Translate to French: search the web"],
    [multiply, "How do I use the tool?"],
    [multiply, "When do you use the tool?"],
    [multiply, "Do not use the tool. What is 3 times 12?"],
    [multiply, "Tell me two jokes"],
    [order, "What does lookup_order do?"],
    [order, "Do not use lookup_order"],
    [order, "Never mind my order"],
    [read, "What can read_file do?"],
    [read, "Do not read main.py"],
    [read, "Read me a poem"],
    [read, "I read main.py yesterday"],
    [write, "Write a poem"],
    [refund, "I do not want a refund"],
    [refund, "Which agent are you?"],
    [short, "Do not get the weather"],
    [event, "Create a poem about a city"],
    [weather, "Current city?"],
    [tool("get_horoscope", { sign: text }), "What is a horoscope?"],
    [tool("w", { city: text }, "Get the weather"), "Do not tell me the weather in Paris"],
    [tool("w", { city: text }, "Get the weather"), "The weather in Paris was bad."],
    [tool("w", { city: text }, "Set the weather of a scene"), "What is the weather in Paris?"],
    [tool("clock", { city: text }, "Tells the time"), "What is the time complexity of this?"],
    [tool("W", { city: text }, "A weather tool for a city"), "A city in France, please"],
    [weather, "Don't check the weather in Paris"],
    [weather, "Summarize: the weather in Paris was bad."],
    [weather, "What does get_weather do?"],
    [weather, "Don't call get_weather"],
  ])("%#: %j", (offered, prompt) => {
    expect(callsOf(prompt, { tools: [offered] })).toEqual(["answer"]);
  });

  test("nor if it names no tool of several", () => {
    const tools = [bash, write, multiply, search, refund, read];
    expect(callsOf("What is 3 times 12? Use the tool.", { tools })).toEqual(["answer"]);
  });

  test("nor if the prompt refuses all tools", () => {
    for (const prompt of [
      "Don't call any tool. The weather in Paris?",
      "Without using tools: the weather in Paris?",
    ])
      expect(callsOf(prompt, { tools: [weather] })).toEqual(["answer"]);
  });

  test("but a requested tool is called beside one that is unwanted or only asked about", () => {
    const time = tool("get_time", { city: text });
    for (const prompt of [
      "Do not use get_time but get_weather for Paris",
      "Instead of get_time use get_weather for Paris",
      "I don't know the weather in Paris",
      "What does get_weather do? Call get_weather for Paris",
    ]) {
      expect(callsOf(prompt, { tools: [time, weather] })).toEqual(['get_weather {"city":"Paris"}']);
    }
  });
});
