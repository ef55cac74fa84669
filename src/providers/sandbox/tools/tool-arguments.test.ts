import { describe, expect, test } from "bun:test";
import type { Tool } from "../../contract.ts";
import { callsOf, text, time, tool } from "./testing.ts";

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
