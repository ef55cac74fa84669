import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createFrameReader, encodeFrame } from "./frame.ts";

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

describe("a frame", () => {
  test("brings plain data and bytes to the other side, however the pipe cuts it", () => {
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 97 }),
        (values, step) => {
          const sent = joined(values.flatMap((one) => encodeFrame(one)));
          const reader = createFrameReader();
          const received: unknown[] = [];
          for (let at = 0; at < sent.length; at += step)
            received.push(...reader.push(sent.subarray(at, at + step)));
          expect(received).toEqual(JSON.parse(JSON.stringify(values)) && values);
        },
      ),
    );
  });

  test("carries a Buffer as bytes, not as a list of numbers", () => {
    const frame = joined(encodeFrame({ file: Buffer.from("abc") }));
    expect(frame.byteLength).toBeLessThan(60);
    expect(createFrameReader().push(frame)).toEqual([{ file: new Uint8Array([97, 98, 99]) }]);
  });

  test("that is none is refused before anything is set aside for it", () => {
    expect(() => createFrameReader().push(new Uint8Array(8).fill(255))).toThrow("not a frame");
    expect(() => createFrameReader().push(new Uint8Array(8))).toThrow("not a frame");
  });

  test("cannot point outside of itself", () => {
    const json = new TextEncoder().encode(JSON.stringify({ $bytes: [0, 9] }));
    const head = new Uint8Array(8);
    new DataView(head.buffer).setUint32(0, json.byteLength);
    expect(() => createFrameReader().push(joined([head, json]))).toThrow("outside");
  });
});
