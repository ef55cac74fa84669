import { expect, test } from "bun:test";
import { readPublicBody } from "./public-body.ts";

/** Delivers its pieces one by one, and says how many were requested. */
function pieces(...sizes: readonly number[]) {
  let asked = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const size = sizes[asked];
        asked += 1;
        if (size === undefined) controller.close();
        else controller.enqueue(new Uint8Array(size).fill(asked));
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, asked: () => asked };
}

test("pieces are joined in order", async () => {
  const bytes = await readPublicBody(new Response(pieces(2, 1, 3).stream), 10);
  expect([...bytes]).toEqual([1, 1, 2, 3, 3, 3]);
});

test.each([10, 11])(
  "a file without a length is accepted up to its limit and refused beyond: %d of 10",
  async (size) => {
    const read = readPublicBody(new Response(pieces(5, size - 5).stream), 10);
    if (size === 10) expect(await read).toHaveLength(10);
    else await expect(read).rejects.toThrow();
  },
);

test("a content-length over the limit is refused before a byte is read; one at the limit is not", async () => {
  const large = pieces(11);
  const announcing = (stream: ReadableStream, length: number) =>
    new Response(stream, { headers: { "content-length": String(length) } });
  await expect(readPublicBody(announcing(large.stream, 11), 10)).rejects.toThrow();
  expect(large.asked()).toBe(0);
  expect(await readPublicBody(announcing(pieces(10).stream, 10), 10)).toHaveLength(10);
});

test("no body is an empty file", async () => {
  expect(await readPublicBody(new Response(null), 10)).toHaveLength(0);
});
