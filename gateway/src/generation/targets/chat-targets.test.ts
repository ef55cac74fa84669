import { afterEach, describe, expect, test } from "bun:test";
import { catalogWith, TEXT_ENTRY } from "../../catalog/testing.ts";
import { type ChatEvent, ProviderFailure, type WireRequest } from "../../contract/index.ts";
import { armFailpoint, FailpointError, systemClock } from "../../kit/index.ts";
import { type Breaker, createBreaker } from "../../outbound/index.ts";
import { createRegistry } from "../../providers/index.ts";
import { chatFromTargets } from "./chat-targets.ts";

let disarm = () => {};
afterEach(() => disarm());

const FINISH: ChatEvent = { type: "finish", reason: "stop", usage: null };

/** Counts outstanding permits: each must be returned once, whatever happens to the call. */
function countingBreaker(inner: Breaker = createBreaker({ clock: systemClock })): Breaker & { out: number } {
  const breaker = {
    ...inner,
    out: 0,
    pass(target: string, orgId: string) {
      const permit = inner.pass(target, orgId);
      if (permit === null) return null;
      breaker.out++;
      const returned = (report: () => void) => {
        breaker.out--;
        report();
      };
      return {
        succeeded: () => returned(() => permit.succeeded()),
        failed: (error: unknown) => returned(() => permit.failed(error)),
        abandoned: () => returned(() => permit.abandoned()),
        brokeOff: (error: unknown) => permit.brokeOff(error),
      };
    },
  };
  return breaker;
}

function read(
  breaker: Breaker,
  chat: () => AsyncGenerator<readonly ChatEvent[]>,
  { wire, times = 1 }: { wire?: WireRequest; times?: number } = {},
) {
  const model = catalogWith({ models: [TEXT_ENTRY] })
    .models.values()
    .next().value;
  if (model?.type !== "text") throw new Error("the test catalog has a text model");
  const name = model.targets[0]?.provider ?? "";
  const registry = createRegistry([{ name, text: { chat, onDisconnect: "stop" } }]);
  const request = { messages: [], maxOutputTokens: 1, ...(wire && { wire }) };
  const targets = Array.from({ length: times }, () => model.targets).flat();
  const input = {
    registry,
    breaker,
    model: { ...model, targets },
    request,
    requestId: "r",
    orgId: "o",
    clock: systemClock,
  };
  return chatFromTargets(input, { stopped: null });
}

describe("a target", () => {
  test("returns its permit when it answers", async () => {
    const breaker = countingBreaker();
    const batches = read(breaker, async function* () {
      yield [FINISH];
    });
    expect((await batches.next())?.events).toEqual([FINISH]);
    expect(await batches.next()).toBeUndefined();
    expect(breaker.out).toBe(0);
  });

  test("returns its permit if it fails before its first byte, or ends without a finish", async () => {
    const breaker = countingBreaker();
    const failing = read(breaker, async function* () {
      yield await Promise.reject(new ProviderFailure("rejected", "no"));
    });
    await expect(failing.next()).rejects.toThrow("no");
    const empty = read(breaker, async function* () {});
    await expect(empty.next()).rejects.toThrow("broke off");
    expect(breaker.out).toBe(0);
  });

  test("is reported as failed once if it breaks off later, and not at all if the reader leaves", async () => {
    const told: string[] = [];
    const onFailed = (target: string, { message }: ProviderFailure) =>
      void told.push(`${target}: ${message}`);
    const breaker = countingBreaker(createBreaker({ clock: systemClock, onFailed }));
    const begun = () =>
      read(breaker, async function* () {
        yield [{ type: "text", text: "Hi" }];
        yield await Promise.reject(new ProviderFailure("unavailable", "gone"));
      });
    const broken = begun();
    await broken.next();
    await expect(broken.next()).rejects.toThrow("gone");
    expect(told).toEqual(["sandbox/sandbox-chat: unavailable: gone"]);
    const left = begun();
    await left.next();
    const reading = left.next();
    await Promise.all([left.return(), reading.catch(() => {})]);
    expect([told.length, breaker.out]).toEqual([1, 0]);
  });

  test("returns its permit if the reader leaves before its first byte, even if it never answers", () => {
    const breaker = countingBreaker();
    const batches = read(breaker, async function* () {
      yield await new Promise<never>(() => {});
    });
    void batches.next();
    expect(breaker.out).toBe(1);
    void batches.return();
    expect(breaker.out).toBe(0);
  });

  test("that is tried after another one was sent nothing of what that one was sent", async () => {
    const told: unknown[] = [];
    const onSent = (body: unknown) => void told.push(body);
    const wire = { kind: "chat_completions", body: {}, wantsWhole: false, onSent } as const;
    const batches = read(
      countingBreaker(),
      async function* () {
        if (told.length > 1) yield [FINISH];
        onSent({ sent: "to the first" });
        throw new ProviderFailure("unavailable", "gone");
      },
      { wire, times: 2 },
    );
    expect((await batches.next())?.events).toEqual([FINISH]);
    expect(told).toEqual([null, { sent: "to the first" }, null]);
  });

  test("returns its permit if nothing was sent to it", async () => {
    const breaker = countingBreaker();
    disarm = armFailpoint("before_upstream_send", () => {
      throw new FailpointError("cut");
    });
    const batches = read(breaker, async function* () {
      yield [FINISH];
    });
    await expect(batches.next()).rejects.toThrow("cut");
    expect(breaker.out).toBe(0);
  });
});
