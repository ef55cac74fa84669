import { describe, expect, test } from "bun:test";
import { type MadeFile, ProviderFailure, type VideoRequest } from "../../../gateway/src/contract/index.ts";
import type { RenderOrder } from "../media/renderer.ts";
import { createSandboxWork } from "./sandbox-video.ts";
import { SMALL_REQUEST } from "./testing.ts";

const made: MadeFile = {
  bytes: new Uint8Array([1]),
  mediaType: "video/mp4",
  width: 2,
  height: 2,
  durationMs: 1_000,
};

/** The provider, a clock to move, and the jobs that it gave the renderer. */
function withRenders(render: (job: RenderOrder) => Promise<MadeFile> = async () => made) {
  const jobs: RenderOrder[] = [];
  const clock = { nowMs: 1_000 };
  const work = createSandboxWork({
    nowMs: () => clock.nowMs,
    render(asked: VideoRequest) {
      const job = { kind: "video", request: asked } as const;
      jobs.push(job);
      return render(job);
    },
  });
  const begin = async (prompt: string) => work.begin("r1", { ...SMALL_REQUEST, prompt });
  const poll = (prompt: string, operation: Readonly<Record<string, unknown>>) =>
    work.poll(operation, async () => ({ ...SMALL_REQUEST, prompt }));
  return { begin, poll, jobs, clock };
}

describe("a sandbox video", () => {
  test("begins with the request's id, in plain JSON, and is rendered once, before the first poll", async () => {
    const rendering = Promise.withResolvers<void>();
    const { begin, poll, jobs } = withRenders(async () => {
      rendering.resolve();
      return made;
    });
    const operation = await begin("a boat [sandbox:processing=0s]");
    expect(JSON.parse(JSON.stringify(operation))).toEqual(operation);
    expect(operation["id"]).toBe("r1");
    await rendering.promise;
    expect(await poll("a boat", operation)).toEqual({ state: "succeeded", file: made });
    expect(jobs).toMatchObject([{ request: { prompt: "a boat" } }]);
  });

  test("is rendered at its poll by a process that has not begun it", async () => {
    const operation = await withRenders().begin("a boat");
    const { poll, jobs } = withRenders();
    expect(await poll("a boat", operation)).toEqual({ state: "succeeded", file: made });
    expect(jobs.length).toBe(1);
  });

  test("is refused if a directive cannot be read, and the message quotes it", async () => {
    const { begin } = withRenders();
    await expect(begin("a boat [sandbox:procesing=10s]")).rejects.toThrow('"[sandbox:procesing=10s]"');
  });

  test("is rendered once for many polls", async () => {
    const work = Promise.withResolvers<MadeFile>();
    const { begin, poll, jobs } = withRenders(() => work.promise);
    const operation = await begin("a boat");
    const looks = Array.from({ length: 20 }, () => poll("a boat", operation));
    work.resolve(made);
    const states = await Promise.all(looks);
    expect(states.every(({ state }) => state === "succeeded")).toBe(true);
    expect(jobs.length).toBe(1);
  });

  test("runs for as long as its directive says, and is rendered without the directive", async () => {
    const { begin, poll, jobs, clock } = withRenders();
    const prompt = "a boat [sandbox:processing=10s]";
    const operation = await begin(prompt);
    clock.nowMs += 9_999;
    expect(await poll(prompt, operation)).toEqual({ state: "running", readyInMs: 1 });
    expect(jobs).toEqual([]);
    clock.nowMs += 1;
    expect((await poll(prompt, operation)).state).toBe("succeeded");
    expect(jobs[0]).toMatchObject({ request: { prompt: "a boat" } });
  });

  test("is not held back if it was begun by a machine whose clock is ten minutes ahead", async () => {
    const { begin, poll, clock } = withRenders();
    const prompt = "a boat [sandbox:delay=10s][sandbox:processing=10s]";
    const operation = await begin(prompt);
    // With the usual differences between clocks, it takes no less time than it was told to.
    clock.nowMs -= 5_000;
    expect(await poll(prompt, operation)).toEqual({ state: "running", readyInMs: 25_000 });
    clock.nowMs -= 595_000;
    expect((await poll(prompt, operation)).state).toBe("succeeded");
  });

  test.each(["[sandbox:delay=60s]", "[sandbox:first-byte=60s]"])(
    "begins immediately with %s, and runs for that long",
    async (directive) => {
      const { begin, poll, clock } = withRenders();
      const operation = await begin(`a boat ${directive}`);
      clock.nowMs += 59_999;
      expect(await poll("a boat", operation)).toEqual({ state: "running", readyInMs: 1 });
      clock.nowMs += 1;
      expect((await poll("a boat", operation)).state).toBe("succeeded");
    },
  );

  test.each([
    ["error=500", "provider_error"],
    ["error=429", "provider_error"],
    ["error=422", "rejected"],
    ["fail", "provider_error"],
  ])("fails by [sandbox:%s] once its delay is over", async (directive, reason) => {
    const { begin, poll, jobs, clock } = withRenders();
    const operation = await begin(`[sandbox:delay=60s][sandbox:${directive}] a boat`);
    expect(JSON.parse(JSON.stringify(operation))).toEqual(operation);
    expect(await poll("a boat", operation)).toEqual({ state: "running", readyInMs: 60_000 });
    clock.nowMs += 60_000;
    expect(await poll("a boat", operation)).toMatchObject({ state: "failed", reason });
    expect(jobs.length).toBe(0);
  });

  test("fails by [sandbox:fail] when polled, and is not rendered", async () => {
    const { begin, poll, jobs } = withRenders();
    const state = await poll("[sandbox:fail] a boat", await begin("[sandbox:fail] a boat"));
    expect(state).toMatchObject({ state: "failed", reason: "provider_error" });
    expect(jobs.length).toBe(0);
  });

  test("is refused when begun by an error directive, or by one that cannot be read", async () => {
    const { begin } = withRenders();
    await expect(begin("[sandbox:error=429]")).rejects.toMatchObject({ kind: "rate_limited" });
    await expect(begin("[sandbox:eror=429]")).rejects.toMatchObject({ kind: "rejected" });
  });

  test("fails for good if the renderer rejects its reference", async () => {
    const { begin, poll } = withRenders(async () => {
      throw new ProviderFailure("rejected", "The reference image cannot be decoded.");
    });
    const state = await poll("a boat", await begin("a boat"));
    expect(state).toEqual({
      state: "failed",
      reason: "rejected",
      message: "The reference image cannot be decoded.",
    });
  });

  test("is rendered a second time if the renderer breaks, and then fails", async () => {
    const { begin, poll, jobs } = withRenders(async () => {
      throw new ProviderFailure("unavailable", "The sandbox's renderer broke off.");
    });
    const operation = await begin("a boat");
    expect(await poll("a boat", operation).catch((error: ProviderFailure) => error.kind)).toBe("unavailable");
    expect((await poll("a boat", operation)).state).toBe("failed");
    expect(jobs.length).toBe(2);
  });

  test("waits while 16 others are being rendered", async () => {
    const { poll, jobs } = withRenders(() => new Promise<MadeFile>(() => {}));
    const operations = Array.from({ length: 17 }, (_, at) => ({ id: `r${at}`, readyAtMs: 0, fails: false }));
    const states = await Promise.all(operations.map((operation) => poll("a boat", operation)));
    // Only the first one is being rendered; the others, and the one without room, are polled at the usual pace.
    const running = { state: "running" } as const;
    expect(states).toEqual([{ ...running, readyInMs: 250 }, ...Array.from({ length: 16 }, () => running)]);
    expect(jobs.length).toBe(16);
  });
});
