import { expect, test } from "bun:test";
import type { Tool } from "../../../gateway/src/contract/index.ts";
import { fastestMs } from "../../../test/fastest.ts";
import { callsOf, text, tool } from "./testing.ts";

const whole = { type: "integer" };
const number = { type: "number" };
const day = { type: "string", format: "date" };
const list = { type: "array", items: text };

/** A tool with optional arguments. */
function loose(name: string, required: Record<string, unknown>, optional: Record<string, unknown>): Tool {
  const parameters = {
    type: "object",
    properties: { ...required, ...optional },
    required: Object.keys(required),
  };
  return { name, parameters };
}

const weather = tool("get_weather", { city: text });
const read = tool("read_file", { path: text });
const write = tool("write_file", { path: text, content: text }, "Write content to a file");
const mail = tool("send_email", { to: text, body: text });
const letter = tool("send_email", { to: text, subject: text, body: text });
const addressed = { type: "string", format: "email" };
const copied = loose(
  "send_email",
  { to: { type: "array", items: addressed }, subject: text, body: text },
  { cc: list, bcc: addressed },
);
const green = { to: "alice@x.io", subject: "The build is green", body: "the build is green" };
const price = tool("get_price", { product: text });
const grep = loose("grep", { pattern: text }, { path: text });
const light = tool("turn_on_light", { room: text });
const accounts = { from_account: text, to_account: text, amount: number };
const event = loose(
  "create_event",
  { title: text },
  { date: day, duration_minutes: whole, location: text, attendees: list },
);
const hotel = loose("book_hotel", { city: text }, { check_in: day, check_out: day, guests: whole });
const repository = { owner: text, repo: text };
const hello = (issue_number: number) => ({ owner: "octocat", repo: "hello", issue_number });
const issue = loose("create_issue", { ...repository, title: text }, { body: text, labels: list });
const table = tool("book_table", {
  restaurant: text,
  party_size: { type: "integer", minimum: 1, maximum: 20 },
  time: { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" },
  date: day,
});
const message = tool("send_message", { recipient: text, message: text });
const flights = loose(
  "search_flights",
  { origin: text, destination: text, date: day },
  { cabin: { type: "string", enum: ["economy", "business", "first"] } },
);
const currency = { type: "string", enum: ["USD", "EUR", "GBP", "CHF", "JPY", "CAD"] };
const convert = tool("convert_currency", { amount: number, from: currency, to: currency });
const units = { type: "string", enum: ["celsius", "fahrenheit"] };
const forecast = loose("get_weather", { location: text }, { units, days: whole });
const stay = { city: "Lisbon", check_in: "2026-12-01", check_out: "2026-12-05", guests: 2 };
const lunch = {
  title: "Lunch",
  date: "2026-12-01",
  duration_minutes: 45,
  location: "Berlin",
  attendees: ["alice@x.io"],
};

test.each<[string, Tool, ...object[]]>([
  ["Cancel order 12345", tool("cancel_order", { order_id: text }), { order_id: "12345" }],
  ["Cancel order #12345", tool("cancel_order", { order_id: text }), { order_id: "12345" }],
  ["Get order 12345", tool("get_order", { order_id: text }), { order_id: "12345" }],
  ["Refund payment 5512", tool("refund_payment", { payment_id: text }), { payment_id: "5512" }],
  ["Close ticket 88", tool("close_ticket", { ticket_id: text }), { ticket_id: "88" }],
  ["Restart server web-1", tool("restart_server", { server: text }), { server: "web-1" }],
  ["Get the product WH-1000XM5", tool("get_product", { product: text }), { product: "WH-1000XM5" }],
  ["Pay invoice INV-77", tool("pay_invoice", { invoice: text }), { invoice: "INV-77" }],
  ["Get weather for zip 94103", tool("get_weather", { zip: text }), { zip: "94103" }],
  ["Turn on the bedroom light", light, { room: "bedroom" }],
  ["Turn on the light in the living room", light, { room: "living room" }],
  [
    "Get the last 10 commits of repo acme/web",
    tool("get_commits", { repo: text, limit: whole }),
    { repo: "acme/web", limit: 10 },
  ],
  ["Turn on the light in the kitchen", light, { room: "kitchen" }],
  ["weather in New York, please, in Fahrenheit", forecast, { location: "New York", units: "fahrenheit" }],
  ["Open the file C:\\Users\\me\\a.txt", read, { path: "C:\\Users\\me\\a.txt" }],
  [
    'Create an issue in acme/web titled "Login fails"',
    tool("create_issue", { repo: text, title: text }),
    { repo: "acme/web", title: "Login fails" },
  ],
  ["Get issue #42 of octocat/hello", tool("get_issue", { ...repository, issue_number: whole }), hello(42)],
  [
    'Create an issue in octocat/hello titled "Crash on start" with label bug',
    issue,
    { owner: "octocat", repo: "hello", title: "Crash on start", labels: ["bug"] },
  ],
  [
    "Create an issue titled Login fails in octocat/hello with labels bug and ui",
    issue,
    { owner: "octocat", repo: "hello", title: "Login fails", labels: ["bug", "ui"] },
  ],
  [
    'Create an issue with the body "It crashed" titled "Crash on start" in octocat/hello',
    issue,
    { owner: "octocat", repo: "hello", title: "Crash on start", body: "It crashed" },
  ],
  [
    'Add a comment "LGTM" to issue 7 in octocat/hello',
    tool("add_comment", { ...repository, issue_number: whole, body: text }),
    { ...hello(7), body: "LGTM" },
  ],
  ["List the issues of octocat/hello", tool("list_issues", repository), { owner: "octocat", repo: "hello" }],
  ["Play jazz music", tool("play_music", { genre: text }), { genre: "jazz" }],
  [
    "Buy 10 shares of AAPL",
    tool("buy_stock", { ticker: text, quantity: whole }, "Buy shares of a stock"),
    { ticker: "AAPL", quantity: 10 },
  ],
  ["Copy a.txt to b.txt", tool("copy_file", { from: text, to: text }), { from: "a.txt", to: "b.txt" }],
  [
    "Move the file report.pdf to /archive",
    tool("move_file", { source: text, destination: text }),
    { source: "report.pdf", destination: "/archive" },
  ],
  [
    "Rename old.txt to new.txt",
    tool("rename_file", { old_path: text, new_path: text }),
    { old_path: "old.txt", new_path: "new.txt" },
  ],
  [
    "Use compare_files on main.py and test.py",
    tool("compare_files", { file_a: text, file_b: text }),
    { file_a: "main.py", file_b: "test.py" },
  ],
  [
    "Transfer money: 250 from checking to savings",
    tool("transfer_money", accounts),
    { from_account: "checking", to_account: "savings", amount: 250 },
  ],
  ["Grep for TODO", grep, { pattern: "TODO" }],
  ["Search the codebase for TODO", grep, { pattern: "TODO" }],
  ["grep TODO in src/", grep, { pattern: "TODO", path: "src/" }],
  [
    "Count the letters r in strawberry",
    tool("count_letters", { word: text, letter: text }),
    { word: "strawberry", letter: "r" },
  ],
  [
    "Add eggs, milk and bread to my shopping list",
    tool("add_to_shopping_list", { items: list }),
    { items: ["eggs", "milk", "bread"] },
  ],
  ["what's the weather in paris", weather, { city: "paris" }],
  ["weather in new york please", weather, { city: "new york" }],
  ["Check the weather in Rio de Janeiro", weather, { city: "Rio de Janeiro" }],
  ["Weather in St. Louis", weather, { city: "St. Louis" }],
  ["What's the weather in Paris today, Monday?", weather, { city: "Paris" }],
  ["list files in src", tool("list_files", { path: text }), { path: "src" }],
  ["Create an event called Lunch on 2026-12-01 for 45 minutes in Berlin with alice@x.io", event, lunch],
  ["Create an event titled Lunch", event, { title: "Lunch" }],
  ["Book a hotel in Lisbon from 2026-12-01 to 2026-12-05 for 2 guests", hotel, stay],
  ["Weather in Paris in celsius for 3 days", forecast, { location: "Paris", units: "celsius", days: 3 }],
  ["Read main.py and utils.py", read, { path: "main.py" }, { path: "utils.py" }],
  ["Get users 1, 2 and 3", tool("get_user", { id: whole }), { id: 1 }, { id: 2 }, { id: 3 }],
  [
    "send an email to ilan@example.com and katia@example.com saying hi",
    mail,
    { to: "ilan@example.com", body: "hi" },
    { to: "katia@example.com", body: "hi" },
  ],
  [
    "Can you send an email to ilan@example.com and katia@example.com saying hi?",
    tool("send_email", { to: list, body: text }),
    { to: ["ilan@example.com", "katia@example.com"], body: "hi" },
  ],
  [
    "Send bob@example.com an email saying that the meeting is at 5",
    mail,
    { to: "bob@example.com", body: "the meeting is at 5" },
  ],
  [
    "Send a message to Tom: I'm late",
    tool("send_message", { recipient: text, message: text }),
    { recipient: "Tom", message: "I'm late" },
  ],
  ["Save a note: call the plumber", tool("save_note", { content: text }), { content: "call the plumber" }],
  ["Write hello world to hello.txt", write, { path: "hello.txt", content: "hello world" }],
  ["Write a file named notes.txt containing buy milk", write, { path: "notes.txt", content: "buy milk" }],
  [
    "Use run_sql to SELECT name FROM users WHERE age > 30",
    tool("run_sql", { query: text }),
    { query: "SELECT name FROM users WHERE age > 30" },
  ],
  ["Find the price of a laptop", price, { product: "laptop" }],
  ["What is the price of a red bike?", price, { product: "red bike" }],
  ["Get the price of milk", loose("get_price", { product: text }, { shop: text }), { product: "milk" }],
  ["Pay by card 4111", tool("pay", { number: text }), { number: "4111" }],
  ["Email alice@x.io: the build is green", letter, green],
  ["Send an email to alice@x.io: the build is green", letter, green],
  [
    "Send an email to alice@x.io saying that the meeting has been moved to the large room.",
    letter,
    {
      to: "alice@x.io",
      subject: "The meeting has been moved to",
      body: "the meeting has been moved to the large room",
    },
  ],
  [
    "Send an email to alice@x.io with subject Hi and body Hello",
    letter,
    { to: "alice@x.io", subject: "Hi", body: "Hello" },
  ],
  ['Email alice@x.io "the build is green"', letter, green],
  [
    "Send an email to bob@example.com with subject Lunch and body See you at noon",
    copied,
    { to: ["bob@example.com"], subject: "Lunch", body: "See you at noon" },
  ],
  [
    "Send an email to alice@x.io, cc carl@x.io, with subject Hi and body Hello",
    copied,
    { to: ["alice@x.io"], subject: "Hi", body: "Hello", cc: ["carl@x.io"] },
  ],
  [
    "Email alice@x.io and bob@x.io, cc carl@x.io and dora@x.io, bcc eve@x.io: hello",
    copied,
    {
      to: ["alice@x.io", "bob@x.io"],
      subject: "Hello",
      body: "hello",
      cc: ["carl@x.io", "dora@x.io"],
      bcc: "eve@x.io",
    },
  ],
  [
    "With a cc to carl@x.io, email alice@x.io saying hello",
    copied,
    { to: ["alice@x.io"], subject: "Hello", body: "hello", cc: ["carl@x.io"] },
  ],
  ["Email Bob about lunch", letter, { to: "Bob", subject: "Lunch", body: "Email Bob about lunch" }],
  ["Remind me to buy milk", tool("set_reminder", { text }), { text: "buy milk" }],
  [
    "Set a reminder to buy milk at 6pm",
    tool("set_reminder", { text, time: text }),
    { text: "buy milk", time: "6pm" },
  ],
  ["Add a task to call Bob", tool("add_task", { title: text }), { title: "call Bob" }],
  [
    "Post a message to #general: it works",
    tool("post_message", { channel: text, text }),
    { channel: "#general", text: "it works" },
  ],
  ["Click the login button", tool("browser_click", { element: text }), { element: "login button" }],
  ["Play Bohemian Rhapsody", tool("play_song", { title: text }), { title: "Bohemian Rhapsody" }],
  [
    "Book a table for four at Luigi's on 2026-11-20 at 7:30pm",
    table,
    { restaurant: "Luigi", party_size: 4, time: "19:30", date: "2026-11-20" },
  ],
  [
    "Book a table for two people at Kronenhalle on 2026-11-20 at 8 pm",
    table,
    { restaurant: "Kronenhalle", party_size: 2, time: "20:00", date: "2026-11-20" },
  ],
  [
    "Book a table at Luigi's for 6 on 2026-11-20 at 19:30",
    table,
    { restaurant: "Luigi", party_size: 6, time: "19:30", date: "2026-11-20" },
  ],
  [
    "Book a stay for two nights and three guests",
    tool("book_stay", { guests: whole, nights: whole }),
    { guests: 3, nights: 2 },
  ],
  ["Send Bob a message: I'm late", message, { recipient: "Bob", message: "I'm late" }],
  ["Send Bob a message: Anna is late", message, { recipient: "Bob", message: "Anna is late" }],
  ["Send a message to Bob: We're on our way", message, { recipient: "Bob", message: "We're on our way" }],
  ["Send Bob a message: Don’t wait", message, { recipient: "Bob", message: "Don’t wait" }],
  [
    "Search flights from Zurich to New York on 2026-12-24 in business",
    flights,
    { origin: "Zurich", destination: "New York", date: "2026-12-24", cabin: "business" },
  ],
  ["Try to convert 250 euros to Swiss francs", convert, { amount: 250, from: "EUR", to: "CHF" }],
  ["Convert 100 dollars to yen", convert, { amount: 100, from: "USD", to: "JPY" }],
  ["Convert 100 EUR into CHF", convert, { amount: 100, from: "EUR", to: "CHF" }],
  ["Convert £20 to Canadian dollars", convert, { amount: 20, from: "GBP", to: "CAD" }],
  [
    "Convert 5 British pounds to euros",
    tool("convert_currency", { amount: number, from_currency: text, to_currency: text }),
    { amount: 5, from_currency: "GBP", to_currency: "EUR" },
  ],
  ["Turn the TV off", tool("set_tv_power", { on: { type: "boolean" } }), { on: false }],
  ["Roll two dice", loose("roll_dice", { count: whole }, { sides: whole }), { count: 2 }],
])("arguments are read from the sentence: %s", (prompt, offered, ...expected) => {
  const calls = expected.map((each) => `${offered.name} ${JSON.stringify(each)}`);
  expect(callsOf(prompt, { tools: [offered] })).toEqual(calls);
});

test("each of two tools gets its own file", () => {
  const tools = [read, write];
  expect(callsOf("Use read_file on a.txt and write_file to put hello into b.txt", { tools })).toEqual([
    'read_file {"path":"a.txt"}',
    'write_file {"path":"b.txt","content":"hello"}',
  ]);
  expect(callsOf("Read ab.txt, then write its content to cd.txt", { tools })).toEqual([
    'read_file {"path":"ab.txt"}',
    expect.stringContaining('"path":"cd.txt"'),
  ]);
});

test.each([
  ["1,234.56", 1234.56],
  ["...20 dollars", 20],
  [",20 euros", 20],
  ["$.99", 0.99],
])("an amount of money is read whole: %s", (sum, amount) => {
  const money = [tool("transfer_money", { amount: number, to: text })];
  expect(callsOf(`Please transfer money to Bob: ${sum}`, { tools: money })).toEqual([
    `transfer_money {"amount":${amount},"to":"Bob"}`,
  ]);
});

test("100 arguments are read quickly from a hostile prompt", () => {
  const kinds = ["path", "order_id", "city", "to", "body", "date", "word", "pattern", "count", "genre"];
  const properties = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [`${kinds[at % kinds.length]}_${at}`, text]),
  );
  const many = tool("save_order", properties);
  for (const unit of [
    "order a1-",
    "a.b ",
    "a@b.co ",
    "from a to b ",
    "in a b ",
    "write a ",
    "x/",
    "a, ",
    "1 and ",
  ]) {
    const prompt = `Save order ${unit.repeat(8000 / unit.length)}`;
    expect(fastestMs(() => callsOf(prompt, { tools: [many] }), 3, 300)).toBeLessThan(300);
  }
});
