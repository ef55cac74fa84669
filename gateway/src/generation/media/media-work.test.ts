import { expect, test } from "bun:test";
import { modelFrom } from "../../catalog/testing.ts";
import { ProviderFailure } from "../../contract/index.ts";
import { AppError, credits, ZERO_CREDITS } from "../../kit/index.ts";
import { createBreaker } from "../../outbound/index.ts";
import type { Paid } from "../outcome.ts";
import type { CallStart, StartCall, StartedCall } from "../paid-call/paid-call.ts";
import { createMediaMaker, type MediaWork } from "./media-work.ts";

const model = modelFrom({
  type: "image",
  price: { units: { "1k": 1 } },
  limits: { aspect_ratios: ["1:1"] },
});
const KEYED = { key: "k1", fingerprint: new Uint8Array(32) };

function workOf(weight: number, { orgId = "o", isKeyed = false } = {}): MediaWork<null> {
  const call = {
    principal: { organization: { id: orgId }, keyId: "k", limits: {} },
    plan: {},
    idempotency: isKeyed ? KEYED : null,
    model,
  } as unknown as MediaWork<null>["call"];
  return {
    ...{ call, kind: "image", prompt: "p", quote: credits(1), most: 1, weight },
    ask: () => () => Promise.reject(new Error("nobody is asked here")),
    price: () => ({ cost: credits(1), measured: "{}" }),
    outcome: () => null,
  };
}

/** A maker whose calls wait for their admission until the test decides. */
function making({ isRepeat = false } = {}) {
  const held: PromiseWithResolvers<CallStart<unknown>>[] = [];
  const makeMedia = createMediaMaker({
    startCall: (() => {
      const waiting = Promise.withResolvers<CallStart<unknown>>();
      held.push(waiting);
      return waiting.promise;
    }) as StartCall,
    isRepeat: async ({ idempotency }) => isRepeat && idempotency !== null,
    breaker: createBreaker({ clock: { nowMs: () => 0, elapsedMs: () => 0 } }),
    library: { store: () => Promise.reject(new Error("nothing is stored here")) },
    timeoutMs: 1_000,
  });
  /** Starts work that runs until the test ends it. */
  const run = (work: MediaWork<null>) => void makeMedia(work).catch(() => {});
  return { makeMedia, run, held };
}

test("a target that fails to make media is reported as failed", async () => {
  const told: string[] = [];
  const call = { stopped: null, onStop: () => {}, fail: async (error: Error) => error };
  const makeMedia = createMediaMaker({
    startCall: (async () => ({ kind: "started", call })) as unknown as StartCall,
    isRepeat: async () => false,
    breaker: createBreaker({
      clock: { nowMs: () => 0, elapsedMs: () => 0 },
      onFailed: (target) => void told.push(target),
    }),
    library: { store: () => Promise.reject(new Error("nothing is stored here")) },
    timeoutMs: 1_000,
  });
  const ask = () => () => Promise.reject(new ProviderFailure("unavailable", "gone"));
  await expect(makeMedia({ ...workOf(1), ask })).rejects.toThrow("gone");
  expect(told).toEqual(model.targets.map(({ provider, model }) => `${provider}/${model}`));
});

test("work that does not fit into memory gets a 503 before any hold, and fits once other work has ended", async () => {
  const { makeMedia, run, held } = making();
  // Work of any size may run alone.
  const huge = makeMedia(workOf(10_000));
  await expect(makeMedia(workOf(1, { orgId: "other" }))).rejects.toMatchObject({
    status: 503,
    options: { retryAfterSeconds: 1 },
  });
  expect(held).toHaveLength(1);
  held[0]?.reject(new AppError("insufficient_credits", "none"));
  await expect(huge).rejects.toThrow("none");
  run(workOf(1));
  expect(held).toHaveLength(2);
});

test("an organization that uses its share of memory gets a 429, while others can start work", async () => {
  const { makeMedia, run, held } = making();
  // As much as a free plan allows: three times ten of the largest images, and eight smaller ones.
  run(workOf(160));
  run(workOf(160));
  const tooMuch = { status: 429, options: { retryAfterSeconds: 1 } };
  await expect(makeMedia(workOf(160))).rejects.toMatchObject(tooMuch);
  await expect(makeMedia(workOf(32))).rejects.toMatchObject(tooMuch);
  expect(held).toHaveLength(2);
  // Everybody's first piece of work is accepted if it fits, however much the others have.
  run(workOf(160, { orgId: "second" }));
  run(workOf(16, { orgId: "third" }));
  run(workOf(1, { orgId: "fourth" }));
  expect(held).toHaveLength(5);
});

test("an organization can use its share of memory again once earlier work has ended", async () => {
  const { makeMedia, run, held } = making();
  const first = makeMedia(workOf(160));
  run(workOf(160));
  await expect(makeMedia(workOf(160))).rejects.toMatchObject({ status: 429 });
  held[0]?.reject(new Error("ended"));
  await expect(first).rejects.toThrow("ended");
  run(workOf(160));
  expect(held).toHaveLength(3);
});

test("a repeat is answered from the stored reply even if memory is full", async () => {
  const { makeMedia, run, held } = making({ isRepeat: true });
  run(workOf(10_000));
  await expect(makeMedia(workOf(1))).rejects.toMatchObject({ status: 503 });
  const repeat = makeMedia(workOf(1, { isKeyed: true }));
  await Bun.sleep(0);
  expect(held).toHaveLength(2);
  const paid = { outcome: null, replayed: true } as unknown as Paid<null>;
  held[1]?.resolve({ kind: "replay", paid });
  expect(await repeat).toBe(paid);
});

test("a call that only looked like a repeat fails with a 503 if memory is full", async () => {
  const { makeMedia, run, held } = making({ isRepeat: true });
  run(workOf(10_000, { orgId: "other" }));
  const repeat = makeMedia(workOf(1, { isKeyed: true }));
  await Bun.sleep(0);
  const failed: unknown[] = [];
  const call = {
    granted: ZERO_CREDITS,
    fail: async (error: AppError) => {
      failed.push(error);
      return error;
    },
  } as unknown as StartedCall<null>;
  held[1]?.resolve({ kind: "started", call });
  await expect(repeat).rejects.toMatchObject({ status: 503 });
  expect(failed).toHaveLength(1);
});
