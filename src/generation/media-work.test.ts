import { expect, test } from "bun:test";
import { modelFrom } from "../catalog/testing.ts";
import { AppError, credits } from "../kit/index.ts";
import { createBreaker } from "../providers/index.ts";
import { createMediaMaker, type MediaWork } from "./media-work.ts";
import type { StartCall } from "./paid-call.ts";

const model = modelFrom({
  type: "image",
  price: { units: { "1k": 1 } },
  limits: { aspect_ratios: ["1:1"] },
});

function workOf(weight: number): MediaWork<null> {
  const call = {
    principal: { organization: { id: "o" }, keyId: "k", limits: {} },
    plan: {},
    model,
  } as unknown as MediaWork<null>["call"];
  return {
    ...{ call, kind: "image", prompt: "p", quote: credits(1), most: 1, weight },
    ask: () => () => Promise.reject(new Error("nobody is asked here")),
    cost: () => credits(1),
    outcome: () => null,
  };
}

test("more than fits into memory is told to come back before anything is held, and fits when room is made", async () => {
  const held: PromiseWithResolvers<never>[] = [];
  const startCall: StartCall = () => {
    const waiting = Promise.withResolvers<never>();
    held.push(waiting);
    return waiting.promise;
  };
  const makeMedia = createMediaMaker({
    startCall,
    breaker: createBreaker({ clock: { nowMs: () => 0, elapsedMs: () => 0 } }),
    library: { store: () => Promise.reject(new Error("nothing is stored here")) },
    timeoutMs: 1_000,
  });
  // One of any size may run alone.
  const huge = makeMedia(workOf(10_000));
  await expect(makeMedia(workOf(1))).rejects.toMatchObject({
    status: 503,
    options: { retryAfterSeconds: 1 },
  });
  expect(held).toHaveLength(1);
  held[0]?.reject(new AppError("insufficient_credits", "none"));
  await expect(huge).rejects.toThrow("none");
  void makeMedia(workOf(1)).catch(() => {});
  expect(held).toHaveLength(2);
});
