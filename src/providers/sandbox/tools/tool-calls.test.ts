import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../../test/fastest.ts";
import type { ChatRequest, Tool } from "../../contract.ts";
import { PLAIN_SCRIPT, type Script } from "../directives/directives.ts";
import { createOptionBook } from "../fill/option-book.ts";
import { createRandom } from "../random.ts";
import { decideCalls } from "./tool-calls.ts";

function tool(name: string, properties: Record<string, unknown>, description?: string): Tool {
  const parameters = { type: "object", properties, required: Object.keys(properties) };
  return { name, parameters, ...(description === undefined ? {} : { description }) };
}

const text = { type: "string" };
const weather = tool("get_weather", { city: text }, "Current weather of a city");
const time = tool("get_time", { city: text });
const flight = tool("book_flight", {
  origin: text,
  destination: text,
  passengers: { type: "integer" },
  date: text,
});
const bash = tool("bash", { command: text }, "Executes a shell command");
const read = tool("read", { path: text });
const TOOLS = [weather, time, flight, bash, read];

type Options = {
  tools?: readonly Tool[];
  toolChoice?: ChatRequest["toolChoice"];
  script?: Partial<Script>;
  hasResults?: boolean;
  wireFields?: Record<string, unknown>;
};

function decide(prompt: string, options: Options = {}) {
  return decideCalls({
    request: {
      messages: [{ role: "user", content: prompt }],
      maxOutputTokens: 100,
      tools: options.tools ?? TOOLS,
      ...(options.toolChoice === undefined ? {} : { toolChoice: options.toolChoice }),
      ...(options.wireFields === undefined ? {} : { wireFields: options.wireFields }),
    },
    prompt,
    script: { ...PLAIN_SCRIPT, ...options.script },
    hasResults: options.hasResults ?? false,
    random: createRandom(1),
    options: createOptionBook(),
  });
}

/** Calls as `name {arguments}`; the outcome where nothing is called. */
function callsOf(prompt: string, options: Options = {}): string[] {
  const decision = decide(prompt, options);
  if (decision.outcome !== "call") return [decision.outcome];
  return decision.calls.map((call) => `${call.name} ${call.arguments}`);
}

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
    ["Use the read tool on src/main.ts", ['read {"path":"src/main.ts"}']],
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
    "the question word of %j is no name",
    (prompt) => {
      const [call] = callsOf(prompt, { tools: [tool("get_zone", { zone: text })] });
      expect(call).toContain('"zone":"sandbox ');
    },
  );

  test("a tool without parameters gets an empty object", () => {
    expect(callsOf("Please ping_server", { tools: [{ name: "ping_server" }] })).toEqual(["ping_server {}"]);
  });

  test("a command given as its words is split into them", () => {
    const shell = tool("shell", { command: { type: "array", items: text } });
    expect(callsOf("Run echo hello", { tools: [shell] })).toEqual(['shell {"command":["echo","hello"]}']);
  });
});

describe("an argument with options", () => {
  const options = (...list: string[]) => ({ type: "string", enum: list });
  const currency = options("USD", "EUR");
  const patient = tool("register_patient", { sex: options("male", "female") });
  const convert = tool("convert", { amount: { type: "number" }, from: currency, to: currency });
  const tag = tool("tag_item", { tags: { type: "array", items: options("red", "green", "blue") } });
  const status: Tool = {
    name: "set_status",
    parameters: { type: "object", properties: { status: options("active", "inactive") } },
  };

  test.each<[Tool, string, string]>([
    [patient, "register_patient: the patient is female", '{"sex":"female"}'],
    [convert, "convert 100 from EUR to USD", '{"amount":100,"from":"EUR","to":"USD"}'],
    [status, "set_status to inactive", '{"status":"inactive"}'],
    [status, "set_status of the proactive one", "{}"],
    [tag, "tag_item as blue, green and red", '{"tags":["blue","green","red"]}'],
  ])("is the one that the prompt says: %#", (offered, prompt, expected) => {
    expect(callsOf(prompt, { tools: [offered] })).toEqual([`${offered.name} ${expected}`]);
  });

  test("is found, too, where it stands behind the words of another tool", () => {
    const inUnits = tool("get_weather", { city: text, unit: options("fahrenheit", "kelvin", "celsius") });
    for (const unit of ["fahrenheit", "kelvin", "celsius"]) {
      expect(
        callsOf(`The weather in Paris and the time in Tokyo, in ${unit}`, { tools: [inUnits, time] }),
      ).toEqual([`get_weather {"city":"Paris","unit":"${unit}"}`, 'get_time {"city":"Tokyo"}']);
    }
  });
});

describe("an argument with a format", () => {
  const format = (name: string) => ({ type: "string", format: name });
  const mail = tool("send_email", { to: format("email"), subject: text });
  const table = tool("book_table", { date: format("date"), people: { type: "integer" }, url: format("uri") });
  const meeting = tool("add_meeting", {
    starts: format("date-time"),
    id: format("uuid"),
    secret: format("password"),
  });
  const id = "0b1c2d3e-4f50-4617-8829-3a4b5c6d7e8f";

  test.each<[Tool, string, string]>([
    [mail, 'Send an email to bob@x.org about "Hi"', '{"to":"bob@x.org","subject":"Hi"}'],
    [
      table,
      "book_table on date: 2026-05-03 for people: 4, url: https://a.example/x",
      '{"date":"2026-05-03","people":4,"url":"https://a.example/x"}',
    ],
    [
      table,
      "book_table for 4, see https://a.example/y. The day is 2026-06-07.",
      '{"date":"2026-06-07","people":4,"url":"https://a.example/y"}',
    ],
    [
      meeting,
      `add_meeting ${id} at 2026-05-03T10:00:00Z, "abc"`,
      `{"starts":"2026-05-03T10:00:00Z","id":"${id}","secret":"abc"}`,
    ],
    [
      table,
      "book_table for 2 on date: 2026-13-45 at url: nowhere",
      '{"date":"2026-01-15","people":2,"url":"https://example.com/sandbox"}',
    ],
    [
      tool("send_email", { to: text, body: text }),
      "Send an email to bob@x.org now",
      '{"to":"bob@x.org","body":"Send an email to bob@x.org now"}',
    ],
  ])("is what the prompt says in that format: %#", (offered, prompt, expected) => {
    expect(callsOf(prompt, { tools: [offered] })).toEqual([`${offered.name} ${expected}`]);
  });
});

describe("numbers and truths of the prompt", () => {
  const number = { type: "number" };
  const price = tool("set_price", { price: { type: "number", exclusiveMinimum: 0 } });
  const pay = tool("pay_invoice", { amount: number });
  const sum = tool("sum_numbers", { numbers: { type: "array", items: number } });
  const grade = tool("grade_test", { scores: { type: "array", items: number }, limit: number });
  const page = tool("list_orders", { limit: { type: "integer", maximum: 100 }, offset: { type: "integer" } });
  const whole = { type: "integer" };
  const seats = tool("book_seats", { passengers: whole, date: { type: "string", format: "date" } });
  const party = tool("plan_party", { guests: whole });
  const calendar = tool("open_calendar", { year: whole, month: whole, day: whole, hour: whole });
  const flag = tool("set_flag", { enabled: { type: "boolean" } });
  const lights = tool("set_lights", { on: { type: "boolean" } });
  const copy = tool("copy_all", { recursive: { type: "boolean" }, dryRun: { type: "boolean" } });

  test.each<[Tool, string, string]>([
    [price, "set_price price: 0.5", '{"price":0.5}'],
    [pay, "pay_invoice of 1,250 dollars", '{"amount":1250}'],
    [pay, "pay_invoice amount: $1,250,000.75.", '{"amount":1250000.75}'],
    [pay, "pay_invoice of 0.123456789 dollars", '{"amount":0.123456789}'],
    [pay, "pay_invoice v1.2.3 of -5", '{"amount":-5}'],
    [sum, "sum_numbers 4 5 6", '{"numbers":[4,5,6]}'],
    [sum, "sum_numbers 4,5,6 and 7", '{"numbers":[4,5,6,7]}'],
    [sum, "sum_numbers numbers: 4, 5, 6", '{"numbers":[4,5,6]}'],
    [sum, "sum_numbers numbers: 4 5 6, at once", '{"numbers":[4,5,6]}'],
    [sum, "sum_numbers numbers: [4, 5.5, -6] for the 2 of us", '{"numbers":[4,5.5,-6]}'],
    [sum, "sum_numbers numbers: 1,250 and 4, and tell 3 people", '{"numbers":[1250,4]}'],
    [grade, "grade_test scores: 9.5, 8.25 and 7 limit: 3", '{"scores":[9.5,8.25,7],"limit":3}'],
    [page, "list_orders limit: 5, then 20", '{"limit":5,"offset":20}'],
    [page, "list_orders from 2000, 50 of them", '{"limit":50,"offset":2000}'],
    [seats, "book_seats on 2026-12-01 for 2 passengers", '{"passengers":2,"date":"2026-12-01"}'],
    [
      seats,
      "book_seats at 10:30 on 12/01/2026, 4 of them, date: 2026-12-01",
      '{"passengers":4,"date":"2026-12-01"}',
    ],
    [party, "plan_party on December 1, 2026 at 18:00 for 7", '{"guests":7}'],
    [party, "plan_party on 1st of May 2026 or Jun 3 for 7, see https://a.example/2/3", '{"guests":7}'],
    [party, "plan_party 0b1c2d3e-4f50-4617-8829-334455667788 for 7", '{"guests":7}'],
    [calendar, "open_calendar at 2026-05-31 07:45", '{"year":2026,"month":5,"day":31,"hour":7}'],
    [calendar, "open_calendar 2027 3 4 5", '{"year":2027,"month":3,"day":4,"hour":5}'],
    [flag, "set_flag enabled: true", '{"enabled":true}'],
    [flag, "set_flag with enabled=false please", '{"enabled":false}'],
    [flag, 'set_flag {"enabled": "no"}', '{"enabled":false}'],
    [lights, "Turn on the lights", '{"on":true}'],
    [lights, "Please switch the lights in the hall off", '{"on":false}'],
    [lights, "set_lights on", '{"on":true}'],
    [lights, "set_lights: off, please", '{"on":false}'],
    [flag, "set_flag, turn it on", '{"enabled":true}'],
    [copy, "copy_all recursive, without dry run", '{"recursive":true,"dryRun":false}'],
    [copy, "copy_all not recursive but dry-run", '{"recursive":false,"dryRun":true}'],
  ])("are the arguments: %#", (offered, prompt, expected) => {
    expect(callsOf(prompt, { tools: [offered] })).toEqual([`${offered.name} ${expected}`]);
  });

  test.each([
    'tag_item with "red", "green" and "blue"',
    'tag_item tags: "red", "green", "blue"',
    "tag_item tags: red, green and blue. Then tell me",
    "tag_item tags: red, green, and blue",
    "tag_item tags: 'red'; 'green'; 'blue' for the best",
    'tag_item {"tags": ["red", "green", "blue"], "title": "x"}',
    "tag_item tags=red,green,blue title: x, then tell me",
  ])("fill a list of texts, too: %s", (prompt) => {
    const tags = { type: "array", items: text };
    const options = { type: "array", items: { enum: ["blue", "green", "red", "x"] } };
    for (const list of [tags, options]) {
      const tag = tool("tag_item", { tags: list });
      expect(callsOf(prompt, { tools: [tag] })).toEqual(['tag_item {"tags":["red","green","blue"]}']);
    }
  });

  test("that two labels say are given to both", () => {
    const trip = tool("plan_trip", { from: text, to: text, stops: { type: "array", items: text } });
    expect(callsOf("plan_trip from: Rome, to: Rome, stops: Oslo, Rome, Oslo", { tools: [trip] })).toEqual([
      'plan_trip {"from":"Rome","to":"Rome","stops":["Oslo","Rome","Oslo"]}',
    ]);
  });

  test("of a label fill the first items of a list that must be longer", () => {
    const sized = tool("set_sizes", { sizes: { type: "array", items: { type: "integer" }, minItems: 3 } });
    const [call = ""] = callsOf("set_sizes sizes: 40", { tools: [sized] });
    expect(call.match(/40/g)).toHaveLength(1);
    expect(JSON.parse(call.slice("set_sizes ".length))).toEqual({
      sizes: [40, expect.any(Number), expect.any(Number)],
    });
  });
});

describe("tools that share a word are told apart by the others", () => {
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

test("free text of one of several tools is the whole prompt", () => {
  const tools = [weather, tool("send_note", { body: text })];
  const prompt = "The weather in Rome and a note for me about whales";
  expect(callsOf(prompt, { tools })).toEqual([
    'get_weather {"city":"Rome"}',
    `send_note {"body":"${prompt}"}`,
  ]);
});

describe("the caller's choice goes before the prompt", () => {
  test("none calls nothing, and says so when a directive wanted a call", () => {
    expect(callsOf("The weather in Paris?", { toolChoice: "none" })).toEqual(["answer"]);
    const script = { calls: [{ name: "bash", arguments: "{}" }] };
    expect(callsOf("", { toolChoice: "none", script })).toEqual(["explain"]);
  });

  test("required calls something even where the prompt asks for nothing", () => {
    expect(callsOf("Hello", { toolChoice: "required" })).toHaveLength(1);
    expect(callsOf("The time in Rome", { toolChoice: "required" })).toEqual(['get_time {"city":"Rome"}']);
  });

  test("a named tool is called once", () => {
    expect(callsOf("Paris and Rome", { toolChoice: { name: "get_time" } })).toEqual([
      'get_time {"city":"Paris"}',
    ]);
  });
});

describe("a call that a directive dictates", () => {
  test("is made as it is written, several at once", () => {
    const script = {
      calls: [
        { name: "bash", arguments: '{"command": "ls"}' },
        { name: "get_time", arguments: null },
      ],
    };
    expect(callsOf("in Oslo", { script })).toEqual(['bash {"command": "ls"}', 'get_time {"city":"Oslo"}']);
  });

  test("may name a tool as its namespace does", () => {
    const tools = [tool("agents__spawn", { prompt: text }), tool("spawn__other", {})];
    const script = { calls: [{ name: "spawn", arguments: "{}" }] };
    expect(callsOf("", { tools, script })).toEqual(["agents__spawn {}"]);
    expect(callsOf("", { tools, script, toolChoice: { name: "agents__spawn" } })).toEqual([
      "agents__spawn {}",
    ]);
    expect(callsOf('Please spawn "a"', { tools })).toEqual(['agents__spawn {"prompt":"a"}']);
  });

  test("is made alone where the caller takes no parallel calls", () => {
    const calls = ["bash", "read"].map((name) => ({ name, arguments: "{}" }));
    expect(callsOf("", { script: { calls }, wireFields: { parallel_tool_calls: false } })).toEqual([
      "bash {}",
    ]);
  });

  test("is explained when the request does not offer the tool", () => {
    const decision = decide("", { script: { calls: [{ name: "nope", arguments: null }] } });
    expect(decision).toMatchObject({ outcome: "explain", text: expect.stringContaining("get_weather") });
  });

  test("is not made again once its result is there, or an agent would never end", () => {
    const script = { calls: [{ name: "bash", arguments: "{}" }] };
    expect(callsOf("The weather in Rome", { script, hasResults: true })).toEqual(["answer"]);
  });
});

test("ids are repeatable and differ from call to call", () => {
  const ids = () => {
    const decision = decide("The weather in Paris and in Rome?");
    return decision.outcome === "call" ? decision.calls.map(({ id }) => id) : [];
  };
  expect(ids()).toEqual(ids());
  expect(new Set(ids()).size).toBe(2);
});

describe("the calls of one reply together hold the process no longer than one answer may", () => {
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
    expect(fastestMs(() => decide(prompt, { tools }))).toBeLessThan(250);
  });

  test("and small ones are all made", () => {
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
      "x@y.",
      "1,",
    ]) {
      decide(TOOLS.map(({ name }) => name + unit.repeat(700)).join(" use "), { tools: TOOLS });
    }
  });
  expect(runMs).toBeLessThan(250);
});
