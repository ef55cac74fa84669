import { expect, test } from "bun:test";
import { boundLines } from "./line-bound.ts";

const MAX_LINE_BYTES = 4 << 20;
const FIRST = "data: a\n";

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
    for await (const piece of boundLines(new Response(body)).body ?? []) text += decoder.decode(piece);
    return { text, failure: null };
  } catch (failure) {
    return { text, failure };
  }
}

const line = (sizeBytes: number) => `${"x".repeat(sizeBytes)}\n`;

test.each([
  ["in one piece", [`${FIRST}${line(MAX_LINE_BYTES + 1)}data: b\n`]],
  ["in its last piece", [FIRST, "x".repeat(MAX_LINE_BYTES), "x\ndata: b\n"]],
])("a line that is too long ends the answer before it, also where it ends %s", async (_where, pieces) => {
  const { text, failure } = await read(...pieces);
  expect(text.startsWith(FIRST)).toBe(true);
  expect(text).not.toContain("data: b");
  expect(failure).toMatchObject({ kind: "unavailable" });
});

test("lines as long as they may be pass, however they are cut", async () => {
  const text = FIRST + line(MAX_LINE_BYTES) + line(MAX_LINE_BYTES);
  for (const at of [1, FIRST.length, MAX_LINE_BYTES, text.length - 1])
    expect((await read(text.slice(0, at), text.slice(at))).text === text).toBe(true);
});
