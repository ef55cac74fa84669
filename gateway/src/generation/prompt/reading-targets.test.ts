import { expect, test } from "bun:test";
import { MODEL, quote } from "../chat-call-testing.ts";

const [first, second] = ["one", "two"].map((provider) => ({ provider, model: "m" }));
const model = { ...MODEL, targets: [first, second] } as typeof MODEL;
const targetsOf = (unreadableTo?: (provider: string) => string | null) =>
  quote(unreadableTo === undefined ? {} : { unreadableTo }, { model }).call.model.targets;

test("a prompt that every provider can read goes to every target", () => {
  expect(targetsOf()).toBe(model.targets);
  expect(targetsOf(() => null)).toBe(model.targets);
});

test("a prompt goes only to targets that can read it, and is refused if there are none", () => {
  const unreadableTo = (provider: string) => (provider === "two" ? null : "input[3].encrypted_content");
  expect(targetsOf(unreadableTo)).toEqual([{ provider: "two", model: "m" }]);
  expect(() => targetsOf(() => "input[3].encrypted_content")).toThrow(
    "input[3].encrypted_content: only the provider that made it can read it",
  );
});
