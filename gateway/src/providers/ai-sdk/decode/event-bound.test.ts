import { expect, test } from "bun:test";
import { MAX_FOREIGN_KEYS } from "../../../kit/index.ts";
import { boundEvents } from "./event-bound.ts";

const MAX_EVENT_LENGTH = 4 << 20;
const FIRST = "data: a\n\n";

/** What can be read of an answer in these pieces, and how that ended. */
async function read(...pieces: readonly string[]): Promise<{ text: string; failure: unknown }> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    const body = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(Buffer.from(piece));
        controller.close();
      },
    });
    for await (const piece of boundEvents(new Response(body)).body ?? []) text += decoder.decode(piece);
    return { text, failure: null };
  } catch (failure) {
    return { text, failure };
  }
}

test.each([
  ["in one piece", [`${FIRST}data: ${"x".repeat(MAX_EVENT_LENGTH)}\n\ndata: b\n\n`]],
  ["in its last piece", [FIRST, `data: ${"x".repeat(MAX_EVENT_LENGTH - 6)}`, "x\n\ndata: b\n\n"]],
  ["over several lines", [FIRST, `data: ${"x".repeat(MAX_EVENT_LENGTH - 6)}\n`, "data: x\n\ndata: b\n\n"]],
])("an event that is too long, %s, fails the answer after the events before it", async (_where, pieces) => {
  const { text, failure } = await read(...pieces);
  expect(text).toContain("data: a\n\n");
  expect(text).not.toContain("data: b");
  expect(failure).toMatchObject({ kind: "unavailable" });
});

test("an event with too many keys fails the answer after the events before it", async () => {
  const many = `data: {"more":[${'{"a":1},'.repeat(MAX_FOREIGN_KEYS)}{}]}\n\n`;
  const { text, failure } = await read(`${FIRST}${many}data: b\n\n`);
  expect(text).toBe(`event: message\n${FIRST}`);
  expect(failure).toMatchObject({
    kind: "unavailable",
    detail: { internal: "an event that has too many keys", targetHealth: "up", isExcess: true },
  });
});

test("events of several lines pass unchanged, however they are split", async () => {
  const text = `${FIRST}event: more\ndata: 1\ndata:  2\n\n`;
  const expected = "event: message\ndata: a\n\nevent: more\ndata: 1\ndata:  2\n\n";
  for (let at = 1; at < text.length; at++) {
    expect(await read(text.slice(0, at), text.slice(at))).toEqual({ text: expected, failure: null });
  }
});

test.each(["", "\n", "\r\n"])(
  "the last event passes if the answer ends without its blank line (%j)",
  async (end) => {
    const last = 'event: more\ndata: {"a":\ndata: 1}';
    for (let at = 1; at < last.length; at++) {
      const { text, failure } = await read(FIRST + last.slice(0, at), last.slice(at) + end);
      expect({ text, failure }).toEqual({ text: `event: message\n${FIRST}${last}\n\n`, failure: null });
    }
  },
);

test("an incomplete last event is not passed on", async () => {
  const last = 'data: {"a":1}';
  for (let at = 0; at < last.length; at++) {
    expect(await read(FIRST + last.slice(0, at))).toEqual({
      text: `event: message\n${FIRST}`,
      failure: null,
    });
  }
});

test.each([
  ["depth", `data: ${"[".repeat(1_000) + "]".repeat(1_000)}`],
  ["length", `data: ${"x".repeat(MAX_EVENT_LENGTH - 6)}\ndata: x`],
])("the last event is limited too, in %s", async (_what, last) => {
  const { text, failure } = await read(FIRST + last);
  expect(text).toContain(FIRST);
  expect(failure).toMatchObject({ kind: "unavailable" });
});
