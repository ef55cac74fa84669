import { expect, test } from "bun:test";
import { askSurely } from "./ask-surely.ts";

const LOST = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
const NO_ANSWER = new Error("Query read timeout");
const REFUSED = Object.assign(new Error("canceling statement due to lock timeout"), { code: "55P03" });
const READ_ONLY = Object.assign(new Error("cannot execute INSERT in a read-only transaction"), {
  code: "25006",
});
const FULL = Object.assign(new Error("too many connections for role"), { code: "53300" });
const PAUSES_MS = [1, 1];

/** Each try fails with the next of these errors; then one succeeds. */
function meeting(...errors: Error[]) {
  let tries = 0;
  const ask = async () => {
    const error = errors[tries++];
    if (error) throw error;
    return "done";
  };
  return { answer: askSurely(ask, PAUSES_MS), tries: () => tries };
}

test.each([
  ["nothing goes wrong", []],
  ["the connection breaks", [LOST]],
  ["a try times out and the connection breaks", [NO_ANSWER, LOST]],
  ["the server is read-only for a moment", [READ_ONLY]],
  ["the server has no free connection for a moment", [FULL, FULL]],
])("askSurely returns the answer of the try that succeeds if %s", async (_, errors) => {
  expect(await meeting(...errors).answer).toBe("done");
});

test("a statement that the database refuses is not repeated, and its error is thrown", async () => {
  const { answer, tries } = meeting(REFUSED);
  await expect(answer).rejects.toBe(REFUSED);
  expect(tries()).toBe(1);
});

test("a server that stays read-only is tried three times, and its error is thrown", async () => {
  const { answer, tries } = meeting(READ_ONLY, READ_ONLY, READ_ONLY);
  await expect(answer).rejects.toBe(READ_ONLY);
  expect(tries()).toBe(3);
});

test.each([
  ["a lost answer and a read-only server", [LOST, READ_ONLY, READ_ONLY]],
  ["lost answers", [LOST, LOST, LOST]],
  ["a lost answer and refusals", [LOST, REFUSED, REFUSED]],
])("after %s the outcome is reported as unknown", async (_, errors) => {
  const { answer, tries } = meeting(...errors);
  await expect(answer).rejects.toThrow("Outcome unknown: check the ledger before you repeat the command.");
  expect(tries()).toBe(3);
});

test("a refusal after a lost answer is tried again", async () => {
  expect(await meeting(LOST, REFUSED).answer).toBe("done");
});
