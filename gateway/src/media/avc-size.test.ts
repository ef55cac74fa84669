import { expect, test } from "bun:test";
import fc from "fast-check";
import { avcSize } from "./avc-size.ts";

const sizeOf = (configuration: Uint8Array) => avcSize(configuration, { bytes: 1_000 });

// As written by x264.
test.each([
  [
    "high",
    "01640028ffe1001b67640028acd940780227e5c044000003000400000300f03c60c65801000668ebe3cb22c0fdf8f800",
    1_920,
    1_080,
  ],
  [
    "baseline",
    "0142c01fffe100196742c01fd900d83de6f0110000030001000003003c0f18324801000568cb83cb20",
    854,
    480,
  ],
  [
    "interlaced",
    "01640028ffe1001a67640028acd94078044fde0220000003002000000783e2c5b2c001000668fba3cb22c0fdf8f800",
    1_920,
    1_080,
  ],
  [
    "4:2:2",
    "017a001effe1001a677a001ebcd940a02ff9f0110000030001000003003c0f162d9601000668ebe3cb22c0fef8f800",
    640,
    362,
  ],
  [
    "4:4:4",
    "01f40028ffe1001c67f40028919b280f0044f7178088000003000800000301e078c18cb001000668ebe3c44844fff8f800",
    1_918,
    1_078,
  ],
  [
    "grey",
    "0164000dffe1001a6764000df36505421e3e3f016c80000003008000001e078a14cb01000668ebe3cb22c0fcf8f800",
    322,
    242,
  ],
])("the size of %s video is the size it is decoded to", (_name, configuration, width, height) => {
  const bytes = Buffer.from(configuration, "hex");
  expect(sizeOf(bytes)).toEqual({ width, height });
  expect(sizeOf(bytes.subarray(0, 14))).toBeNull();
});

/** An Exp-Golomb number: as many zeros as bits follow its first. */
const number = (value: number) => "0".repeat((value + 1).toString(2).length - 1) + (value + 1).toString(2);

function header(before: string, blocks: { across: number; down: number }): Buffer {
  const bits = `${before}${number(3)}0${number(blocks.across - 1)}${number(blocks.down - 1)}1101`;
  const bytes = Buffer.from(
    (bits.padEnd(Math.ceil(bits.length / 8) * 8, "0").match(/.{8}/g) ?? []).map((byte) =>
      Number.parseInt(byte, 2),
    ),
  );
  return Buffer.concat([Buffer.from([0x67]), bytes]);
}

function configurationOf(...headers: Buffer[]): Buffer {
  const sized = headers.flatMap((bytes) => [Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
  return Buffer.concat([Buffer.from([1, 66, 0, 30, 255, 0xe0 | headers.length]), ...sized]);
}

const profile = (id: number) => id.toString(2).padStart(8, "0") + "1".repeat(16);
const BASELINE = profile(66) + number(0);

test.each([
  ["picture order type 0", `${BASELINE}${number(4)}${number(0)}${number(6)}`],
  ["picture order type 2", `${BASELINE}${number(4)}${number(2)}`],
  [
    "picture order type 1",
    `${BASELINE}${number(4)}${number(1)}1${number(7)}${number(2)}${number(3)}${number(9)}${number(1)}${number(300)}`,
  ],
  [
    "scaling lists that end early, and at their end",
    `${profile(100)}${number(0)}${number(1)}${number(0)}${number(0)}01` +
      // The first list ends at once (8 − 8), the second has sixteen zero differences, and six are omitted.
      `1${number(16)}1${number(0).repeat(16)}000000${number(4)}${number(2)}`,
  ],
  [
    "scaling lists of all colours",
    `${profile(244)}${number(0)}${number(3)}0${number(0)}${number(0)}01${"0".repeat(11)}1${number(1).repeat(64)}${number(4)}${number(2)}`,
  ],
])("header fields before the size are skipped: %s", (_name, before) => {
  const bytes = configurationOf(header(before, { across: 120, down: 68 }));
  expect(sizeOf(bytes)).toEqual({ width: 1_920, height: 1_088 });
});

test.each([
  ["wide", { across: 5_000, down: 10 }],
  ["high", { across: 10, down: 5_000 }],
])("a size too %s for any decoder is refused", (_name, blocks) => {
  expect(sizeOf(configurationOf(header(`${BASELINE}${number(4)}${number(2)}`, blocks)))).toBeNull();
});

test("the largest width and height of several headers count", () => {
  const one = header(`${BASELINE}${number(4)}${number(2)}`, { across: 10, down: 50 });
  const other = header(`${BASELINE}${number(4)}${number(2)}`, { across: 40, down: 20 });
  expect(sizeOf(configurationOf(one, other))).toEqual({ width: 640, height: 800 });
  expect(sizeOf(configurationOf())).toBeNull();
});

test("headers beyond the budget give no size and use up the budget", () => {
  const one = header(`${BASELINE}${number(4)}${number(2)}`, { across: 10, down: 50 });
  const enough = { bytes: 2 * one.length };
  const tooFew = { bytes: one.length };
  expect(avcSize(configurationOf(one, one), enough)).toEqual({ width: 160, height: 800 });
  expect(enough.bytes).toBeGreaterThanOrEqual(0);
  expect(avcSize(configurationOf(one, one), tooFew)).toBeNull();
  expect(tooFew.bytes).toBeLessThan(0);
});

test("any bytes give a valid size or null", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const size = sizeOf(Uint8Array.from([1, 100, 0, 30, 255, 0xe1, 0, bytes.length, ...bytes]));
      for (const side of [size?.width ?? 1, size?.height ?? 1]) {
        expect(side > 0 && side <= 65_535).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});
