import { expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../test/fastest.ts";
import type { ChatMessage } from "../contract/index.ts";
import { withResultsInPlace } from "./results-in-place.ts";

const user = (content: string): ChatMessage => ({ role: "user", content });
const said = (content: string): ChatMessage => ({ role: "assistant", content });
const calls = (...ids: string[]): ChatMessage => ({
  role: "assistant",
  content: null,
  toolCalls: ids.map((id) => ({ id, name: "f", arguments: "{}" })),
  reasoning: [{ text: "hm", signature: "acme/s" }],
});
const result = (toolCallId: string, content = "1"): ChatMessage => ({ role: "tool", toolCallId, content });

const id = fc.constantFrom("a", "b", "c");
const message = fc.oneof(
  fc.constant(user("u")),
  fc.uniqueArray(id, { minLength: 1, maxLength: 2 }).map((ids) => calls(...ids)),
  id.map((each) => result(each)),
);
const spoken = fc.oneof(message, fc.constant(said("s")));

test("a list that needs no reordering is returned as it is", () => {
  for (const messages of [
    [user("hi")],
    [user("hi"), calls("a", "b"), result("a"), result("b"), user("and?")],
    [user("hi"), calls("a", "b", "c"), result("a"), result("c")],
    [user("hi"), said("one"), said("two")],
    [result("lost"), user("hi")],
    // Reordering cannot help a call that was never answered.
    [calls("a"), user("never mind")],
    [calls("0"), result("0"), user("again"), calls("0"), result("0")],
    // If a server gave its calls no ids, or duplicate ones, their results are in the order of the calls.
    [calls("a", "b", "a"), result("a", "first"), result("b", "second"), result("a", "third")],
    [calls("a", "b"), result("a"), result("b"), result("b", "once more")],
  ]) {
    expect(withResultsInPlace(messages)).toBe(messages);
  }
});

test("a result moves directly behind the turn that called for it, before what was said in between", () => {
  const [a, b] = [calls("a"), calls("b", "c")];
  expect(withResultsInPlace([user("hi"), a, user("wait"), result("a")])).toEqual([
    user("hi"),
    a,
    result("a"),
    user("wait"),
  ]);
  const mixed = [
    a,
    { role: "system" as const, content: "s" },
    b,
    result("c"),
    user("wait"),
    result("a"),
    result("b"),
  ];
  expect(withResultsInPlace(mixed)).toEqual([
    a,
    result("a"),
    { role: "system", content: "s" },
    b,
    result("b"),
    result("c"),
    user("wait"),
  ]);
});

test("results of one turn take the order of its calls", () => {
  const turn = calls("a", "b", "c");
  const messages = [user("hi"), turn, result("c"), result("a"), result("b"), user("and?")];
  const ordered = [user("hi"), turn, result("a"), result("b"), result("c"), user("and?")];
  expect(withResultsInPlace(messages)).toEqual(ordered);
});

test("results with the same id are assigned to the calls with that id in order", () => {
  const turn = calls("a", "b", "a");
  const messages = [turn, result("a", "first"), result("a", "third"), result("b", "second")];
  expect(withResultsInPlace(messages)).toEqual([
    turn,
    result("a", "first"),
    result("b", "second"),
    result("a", "third"),
  ]);
  const again = [turn, user("wait"), result("a", "first")];
  expect(withResultsInPlace([...messages, ...again])).toEqual([
    ...withResultsInPlace(messages),
    turn,
    result("a", "first"),
    user("wait"),
  ]);
});

test("a turn with calls stays the same object, signatures included", () => {
  const turn = calls("a");
  const [, kept] = withResultsInPlace([user("hi"), turn, user("wait"), result("a")]);
  expect(kept).toBe(turn);
});

test("a result with a reused id belongs to the last call before it", () => {
  const [first, second] = [calls("0"), calls("0")];
  const messages = [first, result("0", "one"), second, user("wait"), result("0", "two")];
  expect(withResultsInPlace(messages)).toEqual([
    first,
    result("0", "one"),
    second,
    result("0", "two"),
    user("wait"),
  ]);
});

test("messages between a call and its late result keep their order", () => {
  const [a, b] = [calls("a"), calls("b")];
  const talk = [said("b is done."), user("What is 2+2?"), said("4")];
  const rest = [said("a is done, too."), user("Next?")];
  expect(withResultsInPlace([user("hi"), a, b, result("b"), ...talk, result("a"), ...rest])).toEqual([
    ...[user("hi"), a, result("a"), b, result("b")],
    ...[...talk, ...rest],
  ]);
});

test("text of the model between a call and its result joins the call instead of ending the list", () => {
  const turn = calls("a");
  for (const between of [[said("Wait.")], [user("hm?"), said("Wait.")]]) {
    const ordered = withResultsInPlace([turn, ...between, result("a")]);
    expect(ordered.slice(0, 2)).toEqual([{ ...turn, content: "Wait." } as ChatMessage, result("a")]);
    expect(ordered.at(-1)?.role).not.toBe("assistant");
  }
  expect(withResultsInPlace([turn, user("wait"), result("a"), said("Done.")]).at(-1)).toEqual(said("Done."));
});

test("text before the last result of a turn joins that turn, whichever call the result answers", () => {
  const turn = calls("a", "b");
  expect(withResultsInPlace([turn, result("b"), said("Wait."), result("a")])).toEqual([
    { ...turn, content: "Wait." } as ChatMessage,
    result("a"),
    result("b"),
  ]);
});

test("text between two results of one call joins that call, and both results are kept", () => {
  const turn = calls("a");
  const [first, second] = [result("a", "still running"), result("a", "done: 42")];
  expect(withResultsInPlace([turn, first, said("Wait."), second])).toEqual([
    { ...turn, content: "Wait." } as ChatMessage,
    first,
    second,
  ]);
});

test("text while an earlier call waits joins the last call, and the list never ends with such text", () => {
  const [a, b] = [calls("a"), calls("b")];
  expect(withResultsInPlace([user("hi"), a, b, result("b"), said("Wait."), result("a")])).toEqual([
    user("hi"),
    a,
    result("a"),
    { ...b, content: "Wait." } as ChatMessage,
    result("b"),
  ]);
  fc.assert(
    fc.property(fc.array(spoken, { maxLength: 8 }), (between) => {
      const ordered = withResultsInPlace([calls("last"), ...between, result("last")]);
      const end = ordered.at(-1);
      // The model's turn may come last only if it has a call that was never answered.
      if (end?.role === "assistant") expect(end.toolCalls).not.toBeEmpty();
    }),
  );
});

test("no message is lost or duplicated, and reordering twice changes nothing more", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
      const ordered = withResultsInPlace(messages);
      expect(new Set(ordered)).toEqual(new Set(messages));
      expect(ordered).toHaveLength(messages.length);
      expect(withResultsInPlace(ordered)).toBe(ordered);
    }),
  );
});

test("9,900 messages before a result are joined within 100 ms", () => {
  const messages = [
    calls("a"),
    ...Array.from({ length: 9_900 }, () => said("word ".repeat(80))),
    result("a"),
  ];
  expect(withResultsInPlace(messages)).toHaveLength(2);
  expect(fastestMs(() => JSON.stringify(withResultsInPlace(messages)), 3, 100)).toBeLessThan(100);
});
