import { describe, expect, test } from "bun:test";
import type { Tool } from "../../../gateway/src/contract/index.ts";
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

  test("is also found after the words of another tool", () => {
    const inUnits = tool("get_weather", { city: text, unit: options("fahrenheit", "kelvin", "celsius") });
    for (const unit of ["fahrenheit", "kelvin", "celsius"]) {
      expect(
        callsOf(`The weather in Paris and the time in Tokyo, in ${unit}`, { tools: [inUnits, time] }),
      ).toEqual([`get_weather {"city":"Paris","unit":"${unit}"}`, 'get_time {"city":"Tokyo"}']);
    }
  });

  test("is shared by several calls, if the prompt names several things", () => {
    const inUnits = tool("get_weather", { city: text, unit: options("fahrenheit", "celsius") });
    const calls = ["Paris", "Rome"].map((city) => `get_weather {"city":"${city}","unit":"celsius"}`);
    expect(callsOf("The weather in Paris and Rome in celsius?", { tools: [inUnits] })).toEqual(calls);
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
      tool("add_meeting", { starts_at: format("date-time") }),
      "add_meeting on 3 May 2026 at 14:30",
      '{"starts_at":"2026-05-03T14:30:00Z"}',
    ],
    [
      tool("add_meeting", { when: format("date-time") }),
      "add_meeting at 2 pm on May 3rd",
      '{"when":"2026-05-03T14:00:00Z"}',
    ],
    [
      tool("add_meeting", { start: format("date-time"), end: format("date-time") }),
      "add_meeting on 2026-05-03 from 9:00 to 10:15",
      '{"start":"2026-05-03T09:00:00Z","end":"2026-05-03T10:15:00Z"}',
    ],
    [
      tool("add_meeting", { start: format("date-time"), end: format("date-time") }),
      "add_meeting from 3 May 2026 at 14:30 to 5 May 2026 at 16:00",
      '{"start":"2026-05-03T14:30:00Z","end":"2026-05-05T16:00:00Z"}',
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

describe("a date or a time", () => {
  const format = (name: string) => ({ type: "string", format: name });
  const flat = { people: { type: "integer" }, from_date: text, to_date: text };
  const trip = { end_date: format("date"), start_date: format("date") };
  const stay = '{"people":2,"from_date":"2026-01-05","to_date":"2026-01-09"}';
  const due = tool("add_task", { due_date: text });
  const shift = tool("add_shift", { start_time: text, end_time: text });

  test.each<[Tool, string, string]>([
    [tool("book_table", { time: text }), "Book a table at 19:30", '{"time":"19:30"}'],
    [tool("book_table", { time: text }), "Book a table at 7:30 pm at Luigi's", '{"time":"7:30 pm"}'],
    [tool("book_table", { time: format("time") }), "Book a table at 19:30", '{"time":"19:30:00Z"}'],
    [tool("book_table", { time: format("time") }), "Book a table at 7pm", '{"time":"19:00:00Z"}'],
    [tool("book_table", { time: format("time") }), "Book a table at 99:30", '{"time":"12:00:00Z"}'],
    [
      tool("book_table", { time: format("time") }),
      "Book a table for 2026-05-03T10:00:00+02:00, 08:15:30Z",
      '{"time":"08:15:30Z"}',
    ],
    [
      tool("book_table", { restaurant: text, time: text }),
      "Book a table at 19:30 at Luigi's",
      '{"restaurant":"Luigi","time":"19:30"}',
    ],
    [tool("show_clock", { time_zone: text }), "Show the clock of Tokyo at 10:30", '{"time_zone":"Tokyo"}'],
    [tool("rent_flat", flat), "Rent a flat for 2 from 2026-01-05 to 2026-01-09", stay],
    [tool("rent_flat", flat), "Rent a flat for 2 to 2026-01-09 from 5 January 2026", stay],
    [tool("plan_trip", trip), "Plan a trip from March 5, 2027 to March 9, 2027", trips("2027")],
    // The sandbox has no clock: a day without a year is in its own fixed year.
    [tool("plan_trip", trip), "Plan a trip from Mar 5 to Mar 9", trips("2026")],
    [
      shift,
      "Add a shift start_time: 9:00 am end_time: 5:30 pm",
      '{"start_time":"9:00 am","end_time":"5:30 pm"}',
    ],
    [due, "add_task due_date: 5 March 2027, not 2026-01-01", '{"due_date":"2027-03-05"}'],
    [due, "add_task due_date: tomorrow, not 2026-01-01", '{"due_date":"tomorrow"}'],
    [due, "add_task due_date: 2026-01-02, not 2026-01-01", '{"due_date":"2026-01-02"}'],
    [tool("add_note", { day: text }), "Add a note for March 5", '{"day":"March 5"}'],
    [shift, "Add a shift from 09:00 to 17:30", '{"start_time":"09:00","end_time":"17:30"}'],
  ])("is the one that the prompt says: %#", (offered, prompt, expected) => {
    expect(callsOf(prompt, { tools: [offered] })).toEqual([`${offered.name} ${expected}`]);
  });

  function trips(year: string): string {
    return `{"end_date":"${year}-03-09","start_date":"${year}-03-05"}`;
  }
});

describe("values in the prompt", () => {
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
  ])("are the arguments for numbers and booleans: %#", (offered, prompt, expected) => {
    expect(callsOf(prompt, { tools: [offered] })).toEqual([`${offered.name} ${expected}`]);
  });

  const event = tool("create_event", { year: whole, month: whole, day: whole, duration_minutes: whole });
  const march = '{"year":2027,"month":3,"day":5,"duration_minutes":45}';
  const stay = tool("book_stay", { guests: whole, nights: whole });
  const rest = tool("grade_rest", { scores: { type: "array", items: number }, minutes: whole });
  const born = tool("add_person", { age: whole, birth_year: whole });
  const transfer = tool("transfer_money", { amount: whole, from: whole, to: whole });
  const queue = tool("read_queue", { count: whole, from: whole });

  test.each<[Tool, string, string]>([
    [event, "Create an event on 2027-03-05 lasting 45 minutes", march],
    [event, "Create an event on March 5, 2027 lasting 45 minutes", march],
    [event, "Create an event lasting 45 minutes on 5 March 2027", march],
    [event, "Create an event of 45 mins on Mar. 5th 2027", march],
    [event, "Create an event of 45 minutes on the 5th of March, 2027", march],
    [event, "Create an event in 2027, on March 5, of 45 minutes", march],
    // The sandbox has no clock: a day without a year is in its own fixed year.
    [event, "Create an event of 45 minutes for 8 on March 5", march.replace("2027", "2026")],
    [calendar, "open_calendar on 31 May 2026 at 7:45 pm", '{"year":2026,"month":5,"day":31,"hour":19}'],
    [stay, "book_stay, 3 nights for 2", '{"guests":2,"nights":3}'],
    [stay, "book_stay for 2 guests and 3 nights", '{"guests":2,"nights":3}'],
    [stay, "book_stay of 3 nights at 7 pm, 2 guests", '{"guests":2,"nights":3}'],
    [rest, "grade_rest 4 5 6 in 10 minutes", '{"scores":[4,5,6],"minutes":10}'],
    [born, "add_person, 30 years old, of 1996", '{"age":30,"birth_year":1996}'],
    [transfer, "transfer_money 250 from 12 to 15", '{"amount":250,"from":12,"to":15}'],
    [queue, "read_queue 5 from 20", '{"count":5,"from":20}'],
  ])("go to the argument that their date or unit suits: %#", (offered, prompt, expected) => {
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
  ])("fill a list of texts: %s", (prompt) => {
    const tags = { type: "array", items: text };
    const options = { type: "array", items: { enum: ["blue", "green", "red", "x"] } };
    for (const list of [tags, options]) {
      const tag = tool("tag_item", { tags: list });
      expect(callsOf(prompt, { tools: [tag] })).toEqual(['tag_item {"tags":["red","green","blue"]}']);
    }
  });

  test("that two labels share are given to both", () => {
    const trip = tool("plan_trip", { from: text, to: text, stops: { type: "array", items: text } });
    expect(callsOf("plan_trip from: Rome, to: Rome, stops: Oslo, Rome, Oslo", { tools: [trip] })).toEqual([
      'plan_trip {"from":"Rome","to":"Rome","stops":["Oslo","Rome","Oslo"]}',
    ]);
  });

  test("of a label fill the first item of a list that must be longer", () => {
    const sized = tool("set_sizes", { sizes: { type: "array", items: { type: "integer" }, minItems: 3 } });
    const [call = ""] = callsOf("set_sizes sizes: 40", { tools: [sized] });
    expect(call.match(/40/g)).toHaveLength(1);
    expect(JSON.parse(call.slice("set_sizes ".length))).toEqual({
      sizes: [40, expect.any(Number), expect.any(Number)],
    });
  });
});
