import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { inMemory } from "../../../gateway/src/contract/index.ts";
import { createFrameReader, encodeFrame, framePieces } from "./frame.ts";

const bytes = fc.uint8Array({ maxLength: 300 });
const value = fc.record({
  text: fc.string({ unit: "binary" }),
  number: fc.integer(),
  nothing: fc.constant(null),
  file: fc.record({ bytes, mediaType: fc.string() }),
  files: fc.array(bytes, { maxLength: 4 }),
});

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

async function written(...values: readonly unknown[]): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (const value of values) pieces.push(...(await Array.fromAsync(framePieces(encodeFrame(value)))));
  return joined(pieces);
}

describe("a frame", () => {
  test("transfers plain data and bytes, however the pipe splits it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 97 }),
        async (values, step) => {
          const sent = await written(...values);
          const reader = createFrameReader();
          const received: unknown[] = [];
          for (let at = 0; at < sent.length; at += step)
            received.push(...reader.push(sent.subarray(at, at + step)));
          expect(received).toEqual(JSON.parse(JSON.stringify(values)) && values);
        },
      ),
    );
  });

  test("carries a Buffer as bytes, not as a list of numbers", async () => {
    const frame = await written({ file: Buffer.from("abc") });
    expect(frame.byteLength).toBeLessThan(60);
    expect(createFrameReader().push(frame)).toEqual([{ file: new Uint8Array([97, 98, 99]) }]);
  });

  test("carries a stored file as its bytes, read in pieces", async () => {
    const bytes = new Uint8Array(2_500_000).map((_, at) => at % 251);
    const kept = inMemory({ bytes, mediaType: "image/png" });
    const asked: number[] = [];
    const read = (start: number, length: number) => {
      asked.push(length);
      return kept.read(start, length);
    };
    const frame = await written({ name: "a", image: { ...kept, read }, sound: Buffer.from("abc") });
    const sound = new Uint8Array([97, 98, 99]);
    expect(createFrameReader().push(frame)).toEqual([
      { name: "a", image: { bytes, mediaType: "image/png" }, sound },
    ]);
    expect(Math.max(...asked)).toBeLessThan(1_500_000);
  });

  test("with an impossible header is refused", () => {
    expect(() => createFrameReader().push(new Uint8Array(8).fill(255))).toThrow("not a frame");
    expect(() => createFrameReader().push(new Uint8Array(8))).toThrow("not a frame");
  });

  test("cannot refer to bytes outside itself", () => {
    const json = new TextEncoder().encode(JSON.stringify({ $bytes: [0, 9] }));
    const head = new Uint8Array(8);
    new DataView(head.buffer).setUint32(0, json.byteLength);
    expect(() => createFrameReader().push(joined([head, json]))).toThrow("outside");
  });
});
