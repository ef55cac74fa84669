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
  ["nothing went wrong", []],
  ["the connection broke", [LOST]],
  ["no answer came in time and the connection broke", [NO_ANSWER, LOST]],
  ["the server only read for a moment", [READ_ONLY]],
  ["the server had no connection left for a moment", [FULL, FULL]],
])("where %s the answer is that of the try that got one", async (_, errors) => {
  expect(await meeting(...errors).answer).toBe("done");
});

test("what the database refused was not done, and is said as it was", async () => {
  const { answer, tries } = meeting(REFUSED);
  await expect(answer).rejects.toBe(REFUSED);
  expect(tries()).toBe(1);
});

test("what a server refused that takes nothing was not done either, and is said when it goes on", async () => {
  const { answer, tries } = meeting(READ_ONLY, READ_ONLY, READ_ONLY);
  await expect(answer).rejects.toBe(READ_ONLY);
  expect(tries()).toBe(3);
});

test.each([
  ["a lost answer and a server that only reads", [LOST, READ_ONLY, READ_ONLY]],
  ["lost answers", [LOST, LOST, LOST]],
  ["a lost answer and refusals", [LOST, REFUSED, REFUSED]],
])("after %s nobody knows what became of the first try, and that is said", async (_, errors) => {
  const { answer, tries } = meeting(...errors);
  await expect(answer).rejects.toThrow("Outcome unknown: check the ledger before you repeat the command.");
  expect(tries()).toBe(3);
});

test("a refusal after a lost answer is asked about again", async () => {
  expect(await meeting(LOST, REFUSED).answer).toBe("done");
});
