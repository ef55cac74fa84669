import { expect, test } from "bun:test";
import { entryWords } from "./entry-words.ts";

test("a ledger entry becomes a sentence, with the plan's display name", () => {
  expect(entryWords("monthly credits of the pro plan")).toBe("Monthly credits of the Pro plan");
  expect(entryWords("given for the pro plan")).toBe("Given for the pro plan");
  expect(entryWords("api-v1-chat sandbox-chat")).toBe("Chat, sandbox-chat");
});
