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

test("a stream reads its first piece on opening, and each next one only after the previous was taken", async () => {
  const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 10 });
  const { reads, read } = source(3 * MIB);
  const reader = (await streams.open(read, { start: 0, length: 2 * MIB + 5 }, "acme")).getReader();
  expect(reads).toEqual([MIB]);
  expect((await reader.read()).value?.byteLength).toBe(MIB);
  expect(reads).toEqual([MIB]);
  await reader.read();
  expect((await reader.read()).value?.byteLength).toBe(5);
  expect([(await reader.read()).done, reads, streams.openCount]).toEqual([true, [MIB, MIB, 5], 0]);
});

test("a stream whose reader has stopped reading is ended", async () => {
  const streams = createPieceStreams({ stallMs: 20, mostOpen: 10 });
  const { read } = source(3 * MIB);
  const reader = (await streams.open(read, { start: 0, length: 3 * MIB }, "acme")).getReader();
  await reader.read();
  await expect(reader.closed).rejects.toThrow("stopped reading");
  expect(streams.openCount).toBe(0);
});

test("a stream whose reader cancels is removed immediately", async () => {
  const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 10 });
  const reader = (await streams.open(source(MIB).read, { start: 0, length: MIB }, "acme")).getReader();
  expect(streams.openCount).toBe(1);
  await reader.cancel();
  expect(streams.openCount).toBe(0);
});

test("a store that fails before the first piece rejects the stream, and its place is freed", async () => {
  const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 10 });
  const read = () => Promise.reject(new Error("the store is away"));
  const opening = streams.open(read, { start: 0, length: MIB }, "acme");
  expect(streams.openCount).toBe(1);
  await expect(opening).rejects.toThrow("the store is away");
  expect(streams.openCount).toBe(0);
});

test("a store that fails later ends the stream with the error, and its place is freed", async () => {
  const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 10 });
  const { read } = source(3 * MIB);
  const fails = (start: number, length: number) =>
    start === 0 ? read(start, length) : Promise.reject(new Error("the store is away"));
  const reader = (await streams.open(fails, { start: 0, length: 3 * MIB }, "acme")).getReader();
  expect((await reader.read()).value?.byteLength).toBe(MIB);
  await expect(reader.read()).rejects.toThrow("the store is away");
  expect(streams.openCount).toBe(0);
});

test("generated pieces are generated as they are read, and need no free place", async () => {
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

describe("a stream above the limit", () => {
  const length = 3 * MIB;
  const opened = async (streams: PieceStreams, owner: string) =>
    (await streams.open(source(length).read, { start: 0, length }, owner)).getReader();

  test("replaces the longest idle stream of the owner who has most streams", async () => {
    const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 4 });
    const alone = await opened(streams, "victim");
    const crowd = await Promise.all(["crowd", "crowd", "crowd"].map((owner) => opened(streams, owner)));
    await Promise.all(crowd.map((reader) => reader.read()));
    await crowd[0]?.read();
    const next = await opened(streams, "another");
    await expect(crowd[1]?.closed).rejects.toThrow("stopped reading");
    const more = await opened(streams, "crowd");
    await expect(crowd[2]?.closed).rejects.toThrow("stopped reading");
    expect(streams.openCount).toBe(4);
    for (const reader of [alone, next, more, crowd[0]]) {
      expect((await reader?.read())?.value?.byteLength).toBe(MIB);
    }
  });

  test("is 503 if all others wait for the store and not for their readers", async () => {
    const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 1 });
    const slow = () => new Promise<Uint8Array<ArrayBuffer>>(() => {});
    void streams.open(slow, { start: 0, length }, "crowd");
    await expect(opened(streams, "another")).rejects.toMatchObject({ status: 503 });
  });

  test("replaces a stream of a busier owner even if that waits for the store, but none of its own owner", async () => {
    const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 2 });
    const slow = () => new Promise<Uint8Array<ArrayBuffer>>(() => {});
    let giveFirst = (_: Uint8Array<ArrayBuffer>) => {};
    const first = () => new Promise<Uint8Array<ArrayBuffer>>((resolve) => (giveFirst = resolve));
    const opening = streams.open(first, { start: 0, length }, "crowd");
    void streams.open(slow, { start: 0, length }, "crowd");
    await expect(opened(streams, "crowd")).rejects.toMatchObject({ status: 503 });
    const reader = await opened(streams, "another");
    expect((await reader.read()).value?.byteLength).toBe(MIB);
    giveFirst(new Uint8Array(MIB));
    await expect(opening).rejects.toMatchObject({ status: 503 });
  });

  test("generated pieces do not count towards it, and are not ended for other streams", async () => {
    const streams = createPieceStreams({ stallMs: 60_000, mostOpen: 1 });
    async function* pieces() {
      yield new Uint8Array(1);
    }
    const poured = streams.pour(pieces()).getReader();
    const first = await opened(streams, "crowd");
    const second = await opened(streams, "crowd");
    await expect(first.closed).rejects.toThrow("stopped reading");
    expect([(await poured.read()).done, (await second.read()).done]).toEqual([false, false]);
  });
});
