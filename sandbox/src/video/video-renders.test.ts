import { afterEach, expect, jest, test } from "bun:test";
import type { MadeFile } from "../../../gateway/src/contract/index.ts";
import { videoRequest } from "../../../gateway/src/providers/media/media-testing.ts";
import { createVideoRenders } from "./video-renders.ts";

const made: MadeFile = {
  bytes: new Uint8Array([1]),
  mediaType: "video/mp4",
  width: 2,
  height: 2,
  durationMs: 1_000,
};
afterEach(() => {
  jest.useRealTimers();
});

/** Renders that end when the test says so, on a clock that it moves. */
function rendering() {
  jest.useFakeTimers({ now: 0 });
  const work: PromiseWithResolvers<MadeFile>[] = [];
  const renders = createVideoRenders(() => {
    const one = Promise.withResolvers<MadeFile>();
    work.push(one);
    return one.promise;
  });
  /** A poll that gives up before the video is ready. */
  async function poll(id: string): Promise<MadeFile | null> {
    const taking = renders.take(id, async () => videoRequest());
    for (let turns = 0; turns < 10; turns++) await Promise.resolve();
    jest.advanceTimersByTime(1_500);
    return taking;
  }
  async function finish(at: number): Promise<void> {
    work[at]?.resolve(made);
    for (let turns = 0; turns < 10; turns++) await Promise.resolve();
  }
  return { poll, finish, work };
}

test("a finished video is kept for a poll nine minutes later", async () => {
  const { poll, finish, work } = rendering();
  expect(await poll("a")).toBeNull();
  await finish(0);
  jest.advanceTimersByTime(9 * 60_000);
  expect(await poll("a")).toBe(made);
  expect(work).toHaveLength(1);
});

test("a video that has just finished does not make room for the next one before it is fetched", async () => {
  const { poll, finish, work } = rendering();
  for (let at = 0; at < 16; at++) expect(await poll(`video ${at}`)).toBeNull();
  for (let at = 0; at < 16; at++) await finish(at);
  expect(await poll("one more")).toBeNull();
  expect(work).toHaveLength(16);
  expect(await poll("video 0")).toBe(made);
  expect(await poll("one more")).toBeNull();
  expect(work).toHaveLength(17);
});

test("a finished video that was not fetched for a minute makes room for the next one", async () => {
  const { poll, finish, work } = rendering();
  for (let at = 0; at < 16; at++) expect(await poll(`video ${at}`)).toBeNull();
  await finish(0);
  jest.advanceTimersByTime(60_000);
  expect(await poll("one more")).toBeNull();
  expect(work).toHaveLength(17);
});
