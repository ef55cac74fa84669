import { expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../test/fastest.ts";
import type { ChatMessage } from "./contract.ts";
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

test("a conversation in order is the same list", () => {
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

test("a result stands behind the turn that asked for it, before what was said meanwhile", () => {
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

test("results of one turn stand as its calls do: where calls have no ids, their places are all there is", () => {
  const turn = calls("a", "b", "c");
  const messages = [user("hi"), turn, result("c"), result("a"), result("b"), user("and?")];
  const ordered = [user("hi"), turn, result("a"), result("b"), result("c"), user("and?")];
  expect(withResultsInPlace(messages)).toEqual(ordered);
});

test("results of one id stand as the calls of that id do", () => {
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

test("turns themselves stay as they are, signatures included", () => {
  const turn = calls("a");
  const [, kept] = withResultsInPlace([user("hi"), turn, user("wait"), result("a")]);
  expect(kept).toBe(turn);
});

test("an id that is used again means the last call before the result", () => {
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

test("what was said meanwhile stays in its order, each answer behind its question", () => {
  const [a, b] = [calls("a"), calls("b")];
  const talk = [said("b is done."), user("What is 2+2?"), said("4")];
  const rest = [said("a is done, too."), user("Next?")];
  expect(withResultsInPlace([user("hi"), a, b, result("b"), ...talk, result("a"), ...rest])).toEqual([
    ...[user("hi"), a, result("a"), b, result("b")],
    ...[...talk, ...rest],
  ]);
});

test("what the model said while it waited joins its call rather than being the end", () => {
  const turn = calls("a");
  for (const between of [[said("Wait.")], [user("hm?"), said("Wait.")]]) {
    const ordered = withResultsInPlace([turn, ...between, result("a")]);
    expect(ordered.slice(0, 2)).toEqual([{ ...turn, content: "Wait." } as ChatMessage, result("a")]);
    expect(ordered.at(-1)?.role).not.toBe("assistant");
  }
  expect(withResultsInPlace([turn, user("wait"), result("a"), said("Done.")]).at(-1)).toEqual(said("Done."));
});

test("what it said before the last result joins its call, whichever call that answers", () => {
  const turn = calls("a", "b");
  expect(withResultsInPlace([turn, result("b"), said("Wait."), result("a")])).toEqual([
    { ...turn, content: "Wait." } as ChatMessage,
    result("a"),
    result("b"),
  ]);
});

test("what it said between two results of one call joins that call, and no result is lost", () => {
  const turn = calls("a");
  const [first, second] = [result("a", "still running"), result("a", "done: 42")];
  expect(withResultsInPlace([turn, first, said("Wait."), second])).toEqual([
    { ...turn, content: "Wait." } as ChatMessage,
    first,
    second,
  ]);
});

test("what it said while an earlier call was waiting joins the last one", () => {
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

test("nothing is lost or doubled, and whatever has a call stands behind it", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
      const ordered = withResultsInPlace(messages);
      expect(new Set(ordered)).toEqual(new Set(messages));
      expect(ordered).toHaveLength(messages.length);
      expect(withResultsInPlace(ordered)).toBe(ordered);
    }),
  );
});

test("however much was said before a result, each word is copied once", () => {
  const messages = [
    calls("a"),
    ...Array.from({ length: 9_900 }, () => said("word ".repeat(80))),
    result("a"),
  ];
  expect(withResultsInPlace(messages)).toHaveLength(2);
  expect(fastestMs(() => JSON.stringify(withResultsInPlace(messages)), 3, 100)).toBeLessThan(100);
});
