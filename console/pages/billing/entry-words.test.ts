import { expect, test } from "bun:test";
import { entryWords } from "./entry-words.ts";

test("an entry of the ledger is a sentence, in which a plan is called as everywhere else", () => {
  expect(entryWords("monthly credits of the pro plan")).toBe("Monthly credits of the Pro plan");
  expect(entryWords("given for the pro plan")).toBe("Given for the pro plan");
  expect(entryWords("api-v1-chat sandbox-chat")).toBe("Chat, sandbox-chat");
});
