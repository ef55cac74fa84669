import { expect, test } from "bun:test";
import { createPieceStreams } from "./piece-streams.ts";

const MIB = 1024 * 1024;

function source(sizeBytes: number) {
  const reads: number[] = [];
  return {
    reads,
    read: async (start: number, length: number) => {
      reads.push(length);
      return new Uint8Array(Math.min(length, sizeBytes - start)).fill(reads.length);
    },
  };
}

test("nothing is read before the reader takes what came before, and never more than a piece", async () => {
  const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 10 });
  const { reads, read } = source(3 * MIB);
  const reader = streams.open(read, { start: 0, length: 2 * MIB + 5 }).getReader();
  expect(reads).toEqual([]);
  expect((await reader.read()).value?.byteLength).toBe(MIB);
  expect(reads).toEqual([MIB]);
  await reader.read();
  expect((await reader.read()).value?.byteLength).toBe(5);
  expect([(await reader.read()).done, reads, streams.openCount]).toEqual([true, [MIB, MIB, 5], 0]);
});

test("a reader that has stopped reading is given up", async () => {
  const streams = createPieceStreams({ stallMs: 20, mostOpen: 10 });
  const { read } = source(3 * MIB);
  const reader = streams.open(read, { start: 0, length: 3 * MIB }).getReader();
  await reader.read();
  await expect(reader.closed).rejects.toThrow("stopped reading");
  expect(streams.openCount).toBe(0);
});

test("a reader that leaves is forgotten at once", async () => {
  const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 10 });
  const reader = streams.open(source(MIB).read, { start: 0, length: MIB }).getReader();
  expect(streams.openCount).toBe(1);
  await reader.cancel();
  expect(streams.openCount).toBe(0);
});

test("a store that fails ends the stream short, and frees its place", async () => {
  const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 10 });
  const read = () => Promise.reject(new Error("the store is away"));
  const reader = streams.open(read, { start: 0, length: MIB }).getReader();
  await expect(reader.read()).rejects.toThrow("the store is away");
  expect(streams.openCount).toBe(0);
});

test("pieces that somebody makes are made as they are read, however many read", async () => {
  const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 0 });
  let made = 0;
  async function* pieces() {
    for (; made < 3; ) yield new Uint8Array([++made]);
  }
  const reader = streams.pour(pieces()).getReader();
  expect(made).toBe(0);
  expect([(await reader.read()).value?.[0], made]).toEqual([1, 1]);
  await reader.read();
  await reader.read();
  expect([(await reader.read()).done, streams.openCount]).toEqual([true, 0]);
});

test("one reader too many is told to come back", () => {
  const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 1 });
  const open = () => streams.open(source(MIB).read, { start: 0, length: MIB });
  open();
  expect(open).toThrow(expect.objectContaining({ status: 503 }));
});
