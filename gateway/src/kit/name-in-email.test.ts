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
])("%s becomes %s", (name, shown) => {
  expect(nameInEmail(name)).toBe(shown);
});

test("a long name is cut to 40 characters and an ellipsis", () => {
  expect([...nameInEmail("Your account was charged and will be closed, call us at once")]).toHaveLength(41);
});
