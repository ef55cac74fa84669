import { expect, test } from "bun:test";
import { nameInEmail } from "./name-in-email.ts";

test.each([
  ["Ana Müller", "Ana Müller"],
  ["Dr. Jane O'Neil, Jr.", "Dr. Jane O'Neil, Jr."],
  ["Acme Works & Co.", "Acme Works & Co."],
  ["You won! https://evil.example/win", "You won! https evil example win"],
  ["see evil.example now", "see evil example now"],
  ["mail boss@evil.example", "mail boss evil example"],
  ["evil。example", "evil example"],
  ["hxxp:evil..example", "hxxp evil example"],
  ["👩‍🚀".repeat(41), `${"👩‍🚀".repeat(40)}…`],
])("%s reads %s", (name, shown) => {
  expect(nameInEmail(name)).toBe(shown);
});

test("a sentence is cut", () => {
  expect([...nameInEmail("Your account was charged and will be closed, call us at once")]).toHaveLength(41);
});
