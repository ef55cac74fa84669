import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createReadAhead } from "./read-ahead.ts";

async function allOf<T>(stream: ReadableStream<T>): Promise<T[][]> {
  const parts = createReadAhead(stream);
  const batches: T[][] = [];
  for (let batch = await parts.next(); batch !== null; batch = await parts.next()) batches.push([...batch]);
  return batches;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("reading ahead", () => {
  test("gives every part once, in order, whatever arrives together", async () => {
    const property = fc.asyncProperty(
      fc.array(fc.array(fc.integer(), { maxLength: 400 })),
      async (bursts) => {
        const source = new ReadableStream<number>({
          async start(controller) {
            for (const burst of bursts) {
              for (const part of burst) controller.enqueue(part);
              await turn();
            }
            controller.close();
          },
        });
        const batches = await allOf(source);
        expect(batches.flat()).toEqual(bursts.flat());
        expect(batches.every((batch) => batch.length > 0)).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: 50 });
  });

  test("gives what came together as one batch", async () => {
    const source = new ReadableStream<number>({
      start(controller) {
        for (const part of [1, 2, 3]) controller.enqueue(part);
        controller.close();
      },
    });
    expect(await allOf(source)).toEqual([[1, 2, 3]]);
  });

  test("stops pulling from an endless source while nobody reads", async () => {
    let made = 0;
    const source = new ReadableStream<number>({ pull: (controller) => controller.enqueue(made++) });
    const parts = createReadAhead(source);
    const first = await parts.next();
    for (let turns = 0; turns < 20; turns += 1) await turn();
    expect(first?.length).toBeGreaterThan(0);
    expect(made).toBeLessThan(600);
    parts.close(false);
  });

  test("fails with the stream's own error, after what came before it", async () => {
    const error = new Error("cut");
    const source = new ReadableStream<number>({
      async start(controller) {
        controller.enqueue(1);
        await turn();
        await turn();
        controller.error(error);
      },
    });
    const parts = createReadAhead(source);
    expect(await parts.next()).toEqual([1]);
    await expect(parts.next()).rejects.toBe(error);
  });

  test("cancels an endless source when it is closed, before or after a finish", async () => {
    const stopped = [false, true].map(async (finished) => {
      const gone = Promise.withResolvers<boolean>();
      const source = new ReadableStream<number>({
        pull: (controller) => controller.enqueue(1),
        cancel: () => gone.resolve(true),
      });
      const parts = createReadAhead(source);
      await parts.next();
      parts.close(finished);
      return gone.promise;
    });
    expect(await Promise.all(stopped)).toEqual([true, true]);
  });
});
