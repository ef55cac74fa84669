import { describe, expect, test } from "bun:test";
import type { Tool } from "../../../gateway/src/contract/index.ts";
import { fastestMs } from "../../../test/fastest.ts";
import { bash, callsOf, decide, TOOLS, text, tool, weather } from "./testing.ts";

describe("a prompt calls the tools that it names or describes", () => {
  test.each<[string, string[]]>([
    ["What is the weather in Paris?", ['get_weather {"city":"Paris"}']],
    ["Please use get_time for New York", ['get_time {"city":"New York"}']],
    [
      "The weather in Paris and in New York?",
      ['get_weather {"city":"Paris"}', 'get_weather {"city":"New York"}'],
    ],
    ["Weather in Paris, Rome", ['get_weather {"city":"Paris"}', 'get_weather {"city":"Rome"}']],
    ["Weather in San Francisco, CA?", ['get_weather {"city":"San Francisco, CA"}']],
    [
      "Weather in Boston, MA and Austin, TX and Rome",
      [
        'get_weather {"city":"Boston, MA"}',
        'get_weather {"city":"Austin, TX"}',
        'get_weather {"city":"Rome"}',
      ],
    ],
    ["Weather in Portland, OR", ['get_weather {"city":"Portland, OR"}']],
    [
      "Weather in Gary, IN and Tulsa, OK?",
      ['get_weather {"city":"Gary, IN"}', 'get_weather {"city":"Tulsa, OK"}'],
    ],
    ["Weather in Paris, OR London", ['get_weather {"city":"Paris"}', 'get_weather {"city":"London"}']],
    ["Weather in LA, NY", ['get_weather {"city":"LA"}', 'get_weather {"city":"NY"}']],
    ["Weather and time in Tokyo, please", ['get_weather {"city":"Tokyo"}', 'get_time {"city":"Tokyo"}']],
    [
      "What is the weather in Paris and the time in Tokyo?",
      ['get_weather {"city":"Paris"}', 'get_time {"city":"Tokyo"}'],
    ],
    [
      "The time in Tokyo and the weather in Paris and Rome, please",
      ['get_weather {"city":"Paris"}', 'get_weather {"city":"Rome"}', 'get_time {"city":"Tokyo"}'],
    ],
    [
      "What is the weather in Paris and the time in Tokyo? Use get_weather and get_time.",
      ['get_weather {"city":"Paris"}', 'get_time {"city":"Tokyo"}'],
    ],
    [
      "In Paris, how is the weather, and in Tokyo, what is the time?",
      ['get_weather {"city":"Paris"}', 'get_time {"city":"Tokyo"}'],
    ],
    ["For Oslo, get_time and get_weather", ['get_time {"city":"Oslo"}', 'get_weather {"city":"Oslo"}']],
    ["Wie ist das Wetter in Berlin? get_weather", ['get_weather {"city":"Berlin"}']],
    ["¿Qué tiempo hace en Madrid? Usa get_weather", ['get_weather {"city":"Madrid"}']],
    ["Quelle est la météo à Paris ? get_weather", ['get_weather {"city":"Paris"}']],
    ["Run echo hello and tell me the output", ['bash {"command":"echo hello"}']],
    ["Run `ls -la`", ['bash {"command":"ls -la"}']],
    ["Run `git status` and read README.md", ['bash {"command":"git status"}', 'read {"path":"README.md"}']],
    ["Run git status, then read README.md", ['bash {"command":"git status"}', 'read {"path":"README.md"}']],
    ["Read README.md, then run `npm test`", ['bash {"command":"npm test"}', 'read {"path":"README.md"}']],
    ["Read README.md and run npm test", ['bash {"command":"npm test"}', 'read {"path":"README.md"}']],
    [
      "Run `npm test` and get the weather in Oslo",
      ['get_weather {"city":"Oslo"}', 'bash {"command":"npm test"}'],
    ],
    ["Read main.py and run it", ['read {"path":"main.py"}']],
    ["Read main.py and run the tests", ['read {"path":"main.py"}']],
    ["Read main.py, but do not run `npm test`", ['read {"path":"main.py"}']],
    ["Run `ls` and `pwd`", ['bash {"command":"ls"}', 'bash {"command":"pwd"}']],
    [
      "Please run `ls -la`, `pwd` and then `git log`",
      ['bash {"command":"ls -la"}', 'bash {"command":"pwd"}', 'bash {"command":"git log"}'],
    ],
    [
      "Run `ls` and `pwd` and read a.txt",
      ['bash {"command":"ls"}', 'bash {"command":"pwd"}', 'read {"path":"a.txt"}'],
    ],
    ["Use the read tool on gateway/src/main.ts", ['read {"path":"gateway/src/main.ts"}']],
    [
      "Book a flight from Paris to Tokyo for 3 people on 2026-05-01",
      ['book_flight {"origin":"Paris","destination":"Tokyo","passengers":3,"date":"2026-05-01"}'],
    ],
  ])("%s", (prompt, expected) => {
    expect(callsOf(prompt)).toEqual(expected);
  });

  test.each(["Hello", "I read a book about whales", "What is 2 + 2?", "", "Write a poem"])(
    "and none for %j",
    (prompt) => {
      expect(callsOf(prompt)).toEqual(["answer"]);
    },
  );

  test.each(["Wie spät ist es? get_zone", "¿Qué hora es? get_zone", "Quelle heure est-il ? get_zone"])(
    "the question word of %j is not taken for a name",
    (prompt) => {
      const [call] = callsOf(prompt, { tools: [tool("get_zone", { zone: text })] });
      expect(call).toContain('"zone":"sandbox ');
    },
  );

  test("a tool without parameters gets an empty object", () => {
    expect(callsOf("Please ping_server", { tools: [{ name: "ping_server" }] })).toEqual(["ping_server {}"]);
  });

  test("a command that takes a list of texts is split into its words", () => {
    const shell = tool("shell", { command: { type: "array", items: text } });
    expect(callsOf("Run echo hello", { tools: [shell] })).toEqual(['shell {"command":["echo","hello"]}']);
    expect(callsOf("Run `ls -l` and `pwd`", { tools: [shell] })).toEqual([
      'shell {"command":["ls","-l"]}',
      'shell {"command":["pwd"]}',
    ]);
  });
});

describe("tools that share a word are told apart by their other words", () => {
  const trip = tool("book_flight", { origin: text, destination: text, passengers: { type: "integer" } });
  const hotel = tool("book_hotel", { city: text, nights: { type: "integer" } });
  const rooms = tool("book_hotel_room", { city: text });
  const toRome = 'book_flight {"origin":"Berlin","destination":"Rome","passengers":2}';
  test.each<[string, Tool[], string[]]>([
    [
      "Book a flight from Berlin to Rome for 2 passengers and book a hotel in Rome for 3 nights",
      [trip, hotel],
      [toRome, 'book_hotel {"city":"Rome","nights":3}'],
    ],
    [
      "Book a hotel in Oslo for 3 nights. Also book the flight from Berlin to Rome for 2",
      [trip, hotel],
      [toRome, 'book_hotel {"city":"Oslo","nights":3}'],
    ],
    [
      "Book a hotel in Oslo for 3 nights and a room in Lima",
      [hotel, rooms],
      ['book_hotel {"city":"Oslo","nights":3}', 'book_hotel_room {"city":"Lima"}'],
    ],
  ])("%s", (prompt, tools, expected) => {
    expect(callsOf(prompt, { tools })).toEqual(expected);
  });
});

test("a free text argument of one of several tools is the whole prompt", () => {
  const tools = [weather, tool("send_note", { body: text })];
  const prompt = "The weather in Rome and a note for me about whales";
  expect(callsOf(prompt, { tools })).toEqual([
    'get_weather {"city":"Rome"}',
    `send_note {"body":"${prompt}"}`,
  ]);
});

describe("the caller's tool choice takes precedence over the prompt", () => {
  test("none calls nothing, and explains it if a directive requests a call", () => {
    expect(callsOf("The weather in Paris?", { toolChoice: "none" })).toEqual(["answer"]);
    const script = { calls: [{ name: "bash", arguments: "{}" }] };
    expect(callsOf("", { toolChoice: "none", script })).toEqual(["explain"]);
  });

  test("required calls the tool that is partly requested if all tools change something", () => {
    const tools = ["turn_on_light", "turn_off_light"].map((name) => tool(name, { room: text }));
    const [call = ""] = callsOf("Turn off the lights", { tools, toolChoice: "required" });
    expect(call).toStartWith("turn_off_light ");
  });

  test("required calls something even if the prompt asks for nothing", () => {
    expect(callsOf("Hello", { toolChoice: "required" })).toHaveLength(1);
    expect(callsOf("The time in Rome", { toolChoice: "required" })).toEqual(['get_time {"city":"Rome"}']);
  });

  test("required calls only the tools that the prompt asks for, not the last one listed", () => {
    const account = { account_id: { type: "integer" } };
    const tools = [weather, tool("send_email", { to: text }), tool("delete_account", account)];
    const prompt = "Call get_weather for Paris, then call send_email to bob@example.com";
    const wireFields = { parallel_tool_calls: false };
    const options = { tools, wireFields, toolChoice: "required", hasResults: true } as const;
    expect(callsOf(prompt, { ...options, called: ["get_weather"] })).toEqual([
      'send_email {"to":"bob@example.com"}',
    ]);
    const again = callsOf(prompt, { ...options, called: ["get_weather", "send_email"] });
    expect(again).toEqual(['get_weather {"city":"Paris"}']);
  });

  test("required calls no tool that changes something without a request, unless there is no other", () => {
    const wipe = tool("delete_all_users", {});
    const send = tool("send_answer", { answer: text });
    const options = { toolChoice: "required", hasResults: true, called: ["get_weather"] } as const;
    expect(callsOf("Hello", { tools: [wipe, weather], toolChoice: "required" })[0]).toStartWith(
      "get_weather ",
    );
    expect(callsOf("Hello", { ...options, tools: [weather, send, wipe] })[0]).toStartWith("send_answer ");
    expect(callsOf("Hello", { ...options, tools: [weather, wipe] })[0]).toStartWith("get_weather ");
    expect(callsOf("Hello", { tools: [wipe], toolChoice: "required" })).toEqual(["delete_all_users {}"]);
  });

  test("a named tool is called once", () => {
    expect(callsOf("Paris and Rome", { toolChoice: { name: "get_time" } })).toEqual([
      'get_time {"city":"Paris"}',
    ]);
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
    expect(callsOf("in Oslo", { script })).toEqual(['bash {"command": "ls"}', 'get_time {"city":"Oslo"}']);
  });

  test("may name a tool without its namespace", () => {
    const tools = [tool("agents__spawn", { prompt: text }), tool("spawn__other", {})];
    const script = { calls: [{ name: "spawn", arguments: "{}" }] };
    expect(callsOf("", { tools, script })).toEqual(["agents__spawn {}"]);
    expect(callsOf("", { tools, script, toolChoice: { name: "agents__spawn" } })).toEqual([
      "agents__spawn {}",
    ]);
    expect(callsOf('Please spawn "a"', { tools })).toEqual(['agents__spawn {"prompt":"a"}']);
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
  const ids = () => {
    const decision = decide("The weather in Paris and in Rome?");
    return decision.outcome === "call" ? decision.calls.map(({ id }) => id) : [];
  };
  expect(ids()).toEqual(ids());
  expect(new Set(ids()).size).toBe(2);
});

describe("all calls of one reply together take less than 250 ms", () => {
  const options = Array.from({ length: 10_000 }, (_, at) => `option_number_${at}_is_long`);
  const thousand = (items: unknown) => ({ type: "array", minItems: 1000, items });
  const cities = "Paris and Rome and Oslo and Lima and Cairo and Tokyo and Delhi and Quito";
  test.each<[string, unknown]>([
    ["long lists of many options", thousand({ enum: options })],
    ["lists of lists", thousand(thousand({ type: "integer" }))],
    ["long texts", thousand({ type: "string", minLength: 10_000 })],
  ])("with %s", (_name, color) => {
    const tools = Array.from({ length: 8 }, (_, at) => ({
      name: `tool_number${at}`,
      parameters: { type: "object", properties: { city: text, color }, required: ["city"] },
    }));
    const prompt = `${tools.map(({ name }) => name).join(" ")} in ${cities} color: zzz`;
    expect(callsOf(prompt, { tools }).length).toBeWithin(1, 9);
    expect(fastestMs(() => decide(prompt, { tools }), 3, 250)).toBeLessThan(250);
  });

  test("and 16 small ones are all made", () => {
    expect(callsOf(`The weather in ${cities}, and the time there`)).toHaveLength(16);
  });
});

test("hostile tools and prompts are read quickly", () => {
  const tools = Array.from({ length: 10_000 }, (_, at) =>
    tool(at % 2 === 0 ? "a" : "", {}, "a ".repeat(1000)),
  );
  const runMs = fastestMs(() => {
    decide("ba".repeat(100_000), { tools });
    decide("A ".repeat(100_000), { tools: [weather] });
    decide(`run ${"x ".repeat(100_000)}`, { tools: [bash] });
    for (const unit of [
      "A ",
      "a ",
      "Aa ",
      "1,000 ",
      'a="b" ',
      "a:b,",
      "a:1 1, ",
      "a:b and ",
      "2026-01-1",
      "1:11",
      "May 1 ",
      "the 1st of May 2026 ",
      "1 pm ",
      "1:11:11-",
      "1 minutes ",
      "not get time ",
      "x@y.",
      "1,",
    ]) {
      decide(TOOLS.map(({ name }) => name + unit.repeat(700)).join(" use "), { tools: TOOLS });
    }
  });
  expect(runMs).toBeLessThan(250);
});
