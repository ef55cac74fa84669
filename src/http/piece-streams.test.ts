import { describe, expect, test } from "bun:test";
import { createPieceStreams, type PieceStreams } from "./piece-streams.ts";

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
  const reader = streams.open(read, { start: 0, length: 2 * MIB + 5 }, "acme").getReader();
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
  const reader = streams.open(read, { start: 0, length: 3 * MIB }, "acme").getReader();
  await reader.read();
  await expect(reader.closed).rejects.toThrow("stopped reading");
  expect(streams.openCount).toBe(0);
});

test("a reader that leaves is forgotten at once", async () => {
  const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 10 });
  const reader = streams.open(source(MIB).read, { start: 0, length: MIB }, "acme").getReader();
  expect(streams.openCount).toBe(1);
  await reader.cancel();
  expect(streams.openCount).toBe(0);
});

test("a store that fails ends the stream short, and frees its place", async () => {
  const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 10 });
  const read = () => Promise.reject(new Error("the store is away"));
  const reader = streams.open(read, { start: 0, length: MIB }, "acme").getReader();
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

describe("one reader too many", () => {
  const length = 3 * MIB;
  const opened = (streams: PieceStreams, owner: string) =>
    streams.open(source(length).read, { start: 0, length }, owner).getReader();

  test("takes the place of the one that was quiet longest, of those who have most", async () => {
    const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 4 });
    const alone = opened(streams, "victim");
    const crowd = [opened(streams, "crowd"), opened(streams, "crowd"), opened(streams, "crowd")];
    await Promise.all(crowd.map((reader) => reader.read()));
    await crowd[0]?.read();
    const next = opened(streams, "another");
    await expect(crowd[1]?.closed).rejects.toThrow("stopped reading");
    const more = opened(streams, "crowd");
    await expect(crowd[2]?.closed).rejects.toThrow("stopped reading");
    expect(streams.openCount).toBe(4);
    for (const reader of [alone, next, more, crowd[0]]) {
      expect((await reader?.read())?.value?.byteLength).toBe(MIB);
    }
  });

  test("is told to come back where all of them wait for the store, and not for their readers", async () => {
    const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 1 });
    const slow = () => new Promise<Uint8Array<ArrayBuffer>>(() => {});
    void streams.open(slow, { start: 0, length }, "crowd").getReader().read();
    await Bun.sleep(1);
    expect(() => opened(streams, "another")).toThrow(expect.objectContaining({ status: 503 }));
  });

  test("takes a place of a crowd that waits for the store, but not of its own", async () => {
    const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 2 });
    const slow = () => new Promise<Uint8Array<ArrayBuffer>>(() => {});
    const crowd = [0, 1].map(() => streams.open(slow, { start: 0, length }, "crowd").getReader());
    const reads = crowd.map((reader) => reader.read());
    for (const read of reads) read.catch(() => {});
    await Bun.sleep(1);
    expect(() => opened(streams, "crowd")).toThrow(expect.objectContaining({ status: 503 }));
    expect((await opened(streams, "another").read()).value?.byteLength).toBe(MIB);
    await expect(reads[0]).rejects.toThrow("stopped reading");
  });

  test("of pieces that somebody makes counts for nobody, and is never ended for others", async () => {
    const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 1 });
    async function* pieces() {
      yield new Uint8Array(1);
    }
    const poured = streams.pour(pieces()).getReader();
    const [first, second] = [opened(streams, "crowd"), opened(streams, "crowd")];
    await expect(first.closed).rejects.toThrow("stopped reading");
    expect([(await poured.read()).done, (await second.read()).done]).toEqual([false, false]);
  });
});
