import { expect, test } from "bun:test";
import type { ChatMessage } from "../../../gateway/src/contract/index.ts";
import { answerChat } from "../engine.ts";

const estimator = { estimateTokens: () => 1, estimatePromptTokens: () => 1 };

async function filled(
  prompt: string,
  properties: Record<string, unknown>,
  result?: string,
  root?: Record<string, unknown>,
): Promise<unknown> {
  const call = { id: "c", name: "look_up", arguments: "{}" };
  const after: ChatMessage[] =
    result === undefined
      ? []
      : [
          { role: "assistant", content: null, toolCalls: [call] },
          { role: "tool", toolCallId: "c", content: result },
        ];
  const schema = root ?? { type: "object", properties, required: Object.keys(properties) };
  const events = answerChat(
    estimator,
    {
      messages: [{ role: "user", content: prompt }, ...after],
      maxOutputTokens: 1000,
      responseFormat: { type: "json_schema", name: "x", schema, strict: true },
    },
    { requestId: "r", signal: new AbortController().signal },
  );
  let text = "";
  for await (const batch of events) {
    for (const event of batch) if (event.type === "text") text += event.text;
  }
  return JSON.parse(text);
}

const [text, whole, number] = [{ type: "string" }, { type: "integer" }, { type: "number" }];
const steps = {
  type: "array",
  items: { type: "object", properties: { explanation: text, output: text }, required: ["explanation"] },
};

test.each<[string, Record<string, unknown>, unknown]>([
  ["What is 6 times 7?", { answer: whole }, { answer: 42 }],
  ["What is 12.5 + 4?", { result: number }, { result: 16.5 }],
  [
    "Receipt 4711 totals $1,234.50, with a tax of 99",
    { tax: number, total: number },
    { tax: 99, total: 1234.5 },
  ],
  [
    "Order 3 pizzas",
    { name: text, quantity: whole },
    { name: expect.stringMatching(/^sandbox /), quantity: 3 },
  ],
  ["Add 3 + 4", { a: whole, b: whole, sum: whole }, { a: 3, b: 4, sum: 7 }],
  ["What is 3 * 12?", { total_value: number }, { total_value: 36 }],
  ["What is 6 times 7? answer: 5", { answer: whole }, { answer: 5 }],
  ["What is 6 times 7?", { final_answer: text }, { final_answer: "Sandbox arithmetic: 6 * 7 = 42." }],
  [
    "What is 6 times 7?",
    { steps, final_answer: text },
    { steps: expect.anything(), final_answer: "Sandbox arithmetic: 6 * 7 = 42." },
  ],
  [
    "Summarize: The cat sat on the mat. It was happy.",
    { summary: text },
    { summary: "Sandbox summary: The cat sat on the mat. It was happy." },
  ],
  ["Hello", { reply: text }, { reply: expect.stringContaining("ello") }],
  ["Who wrote Faust?", { answer: text }, { answer: expect.stringContaining("sandbox") }],
  // A canned reply to small talk must not replace what the prompt gives.
  ['Take the text "I need help"', { text }, { text: "I need help" }],
])("structured output holds the answer to the prompt: %j %j", async (prompt, properties, expected) => {
  expect(await filled(prompt, properties)).toEqual(expected);
});

const person = { name: text, age: whole };

test.each([
  ["Extract jason is 25 years old", "jason", 25],
  ["Extract Jason is 25 years old", "Jason", 25],
  ["Parse this: Anna, 31", "Anna", 31],
  ["Return JSON: Ada is 36 years old", "Ada", 36],
  ["Extract the person as JSON.\nAda is 36 years old", "Ada", 36],
  ["Identify the person: Ada, 36", "Ada", 36],
  ["Classify: Ada Lovelace, 36", "Ada Lovelace", 36],
  ["Please extract: Ada, 36", "Ada", 36],
  ["Analyze this Invoice from Bob: Ada, 36", "Ada", 36],
])("extracted values come from the text, not from the instruction: %j", async (prompt, name, age) => {
  expect(await filled(prompt, person)).toEqual({ name, age });
});

const shapes = {
  anyOf: [
    { type: "object", properties: { kind: { const: "square" }, side: number }, required: ["kind", "side"] },
    {
      type: "object",
      properties: { kind: { const: "circle" }, radius: number },
      required: ["kind", "radius"],
    },
  ],
};
const payments = {
  anyOf: [
    {
      type: "object",
      properties: { type: { enum: ["cash"] }, amount: number },
      required: ["type", "amount"],
    },
    { type: "object", properties: { type: { enum: ["card"] }, digits: whole }, required: ["type", "digits"] },
  ],
};
const users = {
  oneOf: [
    { type: "object", properties: { role: { const: "guest" } }, required: ["role"] },
    { type: "object", properties: { role: { const: "admin" } }, required: ["role"] },
  ],
};
const places = {
  anyOf: [
    { type: "object", properties: { zip: text }, required: ["zip"] },
    {
      type: "object",
      properties: { latitude: number, longitude: number },
      required: ["latitude", "longitude"],
    },
    { type: "null" },
  ],
};

test.each<[string, Record<string, unknown>, unknown]>([
  ["Draw a circle with radius 5", { shape: shapes }, { shape: { kind: "circle", radius: 5 } }],
  ["Draw a square of 4", { shape: shapes }, { shape: { kind: "square", side: 4 } }],
  ["Pay by card 4111", { payment: payments }, { payment: { type: "card", digits: 4111 } }],
  ["The user is an admin", { user: users }, { user: { role: "admin" } }],
  ["At latitude 4.5 and longitude 7", { place: places }, { place: { latitude: 4.5, longitude: 7 } }],
  ["Pick large", { size: { anyOf: [{ const: "small" }, { const: "large" }] } }, { size: "large" }],
])("the subschema that the prompt describes is chosen: %j", async (prompt, properties, expected) => {
  expect(await filled(prompt, properties)).toEqual(expected);
});

const texts = { type: "array", items: text };
const listOf = (properties: Record<string, unknown>) => ({
  type: "array",
  items: { type: "object", properties, required: Object.keys(properties) },
});

test.each<[string, Record<string, unknown>, unknown]>([
  [
    "Tom is 20, Jerry is 30 and Spike is 40.",
    { people: listOf(person) },
    {
      people: [
        ["Tom", 20],
        ["Jerry", 30],
        ["Spike", 40],
      ].map(([name, age]) => ({ name, age })),
    },
  ],
  ["Tom, Jerry and Spike", { names: texts }, { names: ["Tom", "Jerry", "Spike"] }],
  [
    "Ingredients: eggs and milk",
    { name: text, ingredients: texts },
    { name: expect.not.stringContaining("Ingredients"), ingredients: ["eggs", "milk"] },
  ],
  ["Give me 3 fruits", { fruits: texts }, { fruits: ["apple", "banana", "orange"] }],
  ["List three colors", { colors: texts }, { colors: ["red", "blue", "green"] }],
  [
    "List two planets",
    { planets: listOf({ name: text }) },
    { planets: [{ name: "Mercury" }, { name: "Venus" }] },
  ],
  ["Generate 4 users", { users: listOf(person) }, { users: Array(4).fill(expect.anything()) }],
  ["Give me three tips", { tips: texts }, { tips: Array(3).fill(expect.anything()) }],
  [
    "Extract the event information. Alice and Bob are going to a science fair on Friday.",
    { name: text, date: text, participants: texts },
    { name: "science fair", date: "Friday", participants: ["Alice", "Bob"] },
  ],
])(
  "a list has the items, or the number of items, in the prompt: %j",
  async (prompt, properties, expected) => {
    expect(await filled(prompt, properties)).toEqual(expected);
  },
);

const made = expect.stringMatching(/^sandbox /);
const contact = { name: text, phone: text, city: text };
const invoice = {
  invoice_number: text,
  total: number,
  currency: { type: "string", pattern: "^[A-Z]{3}$" },
  lines: listOf({ quantity: whole, unit_price: number }),
};
const drawing = {
  shapes: { type: "array", items: { oneOf: shapes.anyOf } },
};

test.each<[string, Record<string, unknown>, unknown]>([
  [
    "My name is Maria. I live in Rome.",
    contact,
    { name: "Maria", phone: expect.not.stringContaining("Rome"), city: "Rome" },
  ],
  [
    "Jane Doe in Oslo, +44 20 7946 0958",
    { ...contact, start_year: whole },
    { name: "Jane Doe", phone: "+44 20 7946 0958", city: "Oslo", start_year: 2026 },
  ],
  [
    "Jane Doe\nSkills: Python, Go, SQL\nAcme (2019-2023)",
    { name: text, company: text, skills: texts, start_year: whole, end_year: whole },
    {
      name: "Jane Doe",
      company: "Acme",
      skills: ["Python", "Go", "SQL"],
      start_year: 2019,
      end_year: 2023,
    },
  ],
  [
    "List 3 fruits",
    { fruits: listOf({ name: text, color: text }) },
    { fruits: ["apple", "banana", "orange"].map((name) => ({ name, color: made })) },
  ],
  [
    "Translate hello to French",
    { translation: text, language: text },
    { translation: made, language: "French" },
  ],
  [
    "Invoice INV-2024-001: 2 chairs at $50, 1 table at $120. Total: $220 USD",
    invoice,
    {
      invoice_number: "INV-2024-001",
      total: 220,
      currency: "USD",
      lines: [
        { quantity: 2, unit_price: 50 },
        { quantity: 1, unit_price: 120 },
      ],
    },
  ],
  ["It costs €5", { currency: text }, { currency: "EUR" }],
  [
    "Ping 10.0.0.1",
    { host: { type: "string", format: "hostname" }, ip: { type: "string", format: "ipv4" } },
    { host: "sandbox.example.com", ip: "10.0.0.1" },
  ],
  [
    "a circle of radius 3 and a square of side 4",
    drawing,
    {
      shapes: [
        { kind: "circle", radius: 3 },
        { kind: "square", side: 4 },
      ],
    },
  ],
])("a value goes only to a field of its own kind: %j", async (prompt, properties, expected) => {
  expect(await filled(prompt, properties)).toEqual(expected);
});

test("a list as the whole schema holds the listed items", async () => {
  const listed = await filled("List three colors", {}, undefined, { ...texts, maxItems: 3 });
  expect(listed).toEqual(["red", "blue", "green"]);
});

test("not all items of a requested number get the same value", async () => {
  const made = (await filled("Generate 4 users", { users: listOf({ id: whole }) })) as { users: unknown[] };
  expect(new Set(made.users.map((user) => JSON.stringify(user))).size).toBeGreaterThan(1);
});

test.each<[string, Record<string, unknown>, unknown]>([
  [
    '{"temp":12,"sky":"rain"}',
    { city: text, temp: number, sky: text },
    { city: "Paris", temp: 12, sky: "rain" },
  ],
  ['{"city":"Oslo","temp":12}', { city: text, temp: number }, { city: "Oslo", temp: 12 }],
  ["12 degrees", { city: text, temp: number }, { city: "Paris", temp: 12 }],
])(
  "tool results take precedence over the prompt, and field names are not values: %j",
  async (result, properties, expected) => {
    expect(await filled("How warm is it in Paris?", properties, result)).toEqual(expected);
  },
);
