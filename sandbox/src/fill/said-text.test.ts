import { expect, test } from "bun:test";
import type { Tool } from "../../../gateway/src/contract/index.ts";
import { fastestMs } from "../../../test/fastest.ts";
import { callsOf, text, tool } from "../tools/testing.ts";

const email = tool("send_email", { to: text, subject: text, body: text });
const event = tool("create_event", { title: text, date: text });
const calculator = tool("calculator", { expression: text });
const translate = tool("translate", { text, target_language: text });
const find = tool("web_search", { query: text });
const user = tool("create_user", { name: text, email: text });

const greeting = '{"to":"bob@x.io","subject":"Hi","body":"Hello there"}';
const lunch = '{"title":"Team lunch","date":"2026-12-01"}';
const morning = '{"text":"good morning","target_language":"French"}';

test.each<[Tool, string, string]>([
  [email, "Send an email to bob@x.io with subject Hi and body Hello there", greeting],
  [email, "Send an email to bob@x.io, subject: Hi, body: Hello there", greeting],
  [email, "Send an email to bob@x.io with the subject Hi and the body Hello there.", greeting],
  [email, 'Send an email to bob@x.io with subject "Hi" and body "Hello there"', greeting],
  [email, "Send an email to bob@x.io\nSubject: Hi\nBody: Hello there", greeting],
  [event, "Create an event titled Team lunch on 2026-12-01", lunch],
  [event, "Create an event called Team lunch on 2026-12-01", lunch],
  [event, "Create an event on 2026-12-01 named Team lunch", lunch],
  [event, "Create an event with title Team lunch, date 2026-12-01", lunch],
  [user, "Create a user with name ada and email ada@x.io", '{"name":"ada","email":"ada@x.io"}'],
  [calculator, "Use the calculator to compute 17 * 23", '{"expression":"17 * 23"}'],
  [calculator, "Use the calculator: what is 17 times 23?", '{"expression":"17 * 23"}'],
  [calculator, "Use the calculator to compute sqrt(16) + 2.", '{"expression":"sqrt(16) + 2"}'],
  [translate, "Translate good morning to French", morning],
  [translate, "Please translate 'good morning' into French.", morning],
  [translate, "Use translate to French: good morning", morning],
  [find, "Use web_search to search the web for the capital of France.", '{"query":"the capital of France"}'],
  [find, "web_search: how tall is Everest?", '{"query":"web_search: how tall is Everest?"}'],
])("a text argument is the part of the prompt that is meant for it: %#", (offered, prompt, expected) => {
  expect(callsOf(prompt, { tools: [offered] })).toEqual([`${offered.name} ${expected}`]);
});

test("100 arguments are filled quickly from a hostile prompt", () => {
  for (const unit of [
    "look for what is 1 ",
    "with query_1 a ",
    "translate ",
    "called a ",
    "1+1 and ",
    ", q x: ",
  ]) {
    const names = Array.from({ length: 100 }, (_, at) => [`query_name_text_expression_${at}`, text]);
    const many = tool("many", Object.fromEntries(names));
    expect(fastestMs(() => callsOf(`many ${unit.repeat(600)}`, { tools: [many] }), 3, 100)).toBeLessThan(100);
  }
});
