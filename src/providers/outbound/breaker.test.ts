import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ProviderFailure, type ProviderFailureKind } from "../contract.ts";
import { couldNotFinish } from "../finish-reasons.ts";
import { UnusableFile } from "../media/unusable-file.ts";
import { type Breaker, createBreaker } from "./breaker.ts";
import { failureOf } from "./failure-of.ts";
import { oversizeFailure, unmadeFailure } from "./network-failure.ts";

function setup() {
  const clock = { timeMs: 0, nowMs: () => clock.timeMs, elapsedMs: () => clock.timeMs };
  const told: string[] = [];
  const onFailed = (target: string, { kind }: ProviderFailure) => void told.push(`${target} ${kind}`);
  return { clock, told, breaker: createBreaker({ clock, onFailed }) };
}

const failure = (kind: ProviderFailureKind, scripted = false) => new ProviderFailure(kind, "x", { scripted });
const fail = (breaker: Breaker, times: number, kind: ProviderFailureKind = "unavailable") => {
  for (let i = 0; i < times; i++) breaker.pass("t")?.failed(failure(kind));
};

describe("a target that is down is spared", () => {
  test.each(["unavailable", "timeout"] as const)("after five times %s in a row", (kind) => {
    const { breaker } = setup();
    fail(breaker, 4, kind);
    expect(breaker.state("t")).toBe("closed");
    fail(breaker, 1, kind);
    expect(breaker.state("t")).toBe("open");
    expect(breaker.pass("t")).toBeNull();
  });

  test("when half of twenty calls in thirty seconds failed, however they are mixed", () => {
    const { breaker } = setup();
    for (let i = 0; i < 10; i++) {
      breaker.pass("t")?.succeeded();
      expect(breaker.state("t")).toBe("closed");
      fail(breaker, 1);
    }
    expect(breaker.state("t")).toBe("open");
  });

  test("but not for failures of long ago", () => {
    const { breaker, clock } = setup();
    for (let i = 0; i < 40; i++) {
      breaker.pass("t")?.succeeded();
      fail(breaker, 1);
      clock.timeMs += 4_000;
    }
    expect(breaker.state("t")).toBe("closed");
  });

  test("a success between them starts the row again", () => {
    const { breaker } = setup();
    fail(breaker, 4);
    breaker.pass("t")?.succeeded();
    fail(breaker, 4);
    expect(breaker.state("t")).toBe("closed");
  });

  test("targets do not share their fate", () => {
    const { breaker } = setup();
    fail(breaker, 5);
    expect(breaker.pass("other")).not.toBeNull();
    expect([breaker.state("t"), breaker.state("other")]).toEqual(["open", "closed"]);
  });
});

describe("what says nothing of the target never counts", () => {
  test.each(["rejected", "context_overflow", "unauthorized", "rate_limited"] as const)("%s", (kind) => {
    const { breaker } = setup();
    fail(breaker, 100, kind);
    expect(breaker.state("t")).toBe("closed");
  });

  test.each([
    ["an answer that is too long", oversizeFailure("body over 1 bytes", "host")],
    ["a file that is none", new UnusableFile("x", "no picture")],
    ["an end by a word of failure", couldNotFinish("error")],
    ["what we could not send", unmadeFailure(new Error("gone"), "host")],
    ["a 4xx of another kind", failureOf({ status: 451, body: "" })],
    ["an error inside a 200 that blames nobody", failureOf({ status: 200, body: { error: "no" } })],
    ["one with a status of 4xx", failureOf({ status: 200, body: { error: { code: 424 } } })],
  ])("%s, though it ends in a 502", (_, error) => {
    const { breaker } = setup();
    expect(error.kind).toBe("unavailable");
    for (let i = 0; i < 100; i++) breaker.pass("t")?.failed(error);
    expect(breaker.state("t")).toBe("closed");
  });

  test.each([
    ["a 5xx", failureOf({ status: 500, body: "" })],
    ["an error inside a 200 that names one", failureOf({ status: 200, body: { error: { code: "503" } } })],
    ["overload", failureOf({ status: 200, body: { error: { type: "overloaded_error" } } })],
    ["a redirect", failureOf({ status: 302, body: "" })],
  ])("unlike what the server says of itself: %s", (_, error) => {
    const { breaker } = setup();
    for (let i = 0; i < 5; i++) breaker.pass("t")?.failed(error);
    expect(breaker.state("t")).toBe("open");
  });

  test.each([
    ["a key that is refused", failureOf({ status: 401, body: "" })],
    ["an account that is empty", failureOf({ status: 402, body: { error: "Insufficient Balance" } })],
    [
      "a key that is refused with a 400",
      failureOf({
        status: 400,
        body: { error: { message: "API key not valid.", details: [{ reason: "API_KEY_INVALID" }] } },
      }),
    ],
    [
      "a key that is refused with a 403",
      failureOf({ status: 403, body: { error: { type: "authentication_error" } } }),
    ],
    [
      "an account that is empty, with a 400",
      failureOf({
        status: 400,
        body: {
          error: {
            type: "invalid_request_error",
            message: "Your credit balance is too low to access the Anthropic API.",
          },
        },
      }),
    ],
    ["words that were flagged", failureOf({ status: 403, body: { error: "Input was flagged" } })],
    ["a model that is not ours", failureOf({ status: 404, body: { error: { code: "model_not_found" } } })],
    ["a file that is not ours", failureOf({ status: 403, body: { error: { status: "PERMISSION_DENIED" } } })],
    [
      "more tokens than we can pay for",
      failureOf({ status: 402, body: { error: "Requires more credits, or fewer max_tokens." } }),
    ],
    [
      "more letters than we can pay for",
      failureOf({ status: 401, body: { detail: { status: "quota_exceeded" } } }),
    ],
    [
      "one endpoint of several",
      failureOf({ status: 401, body: { error: { message: "Missing scopes: api.responses.write" } } }),
    ],
    [
      "words of ours that it repeats",
      failureOf({ status: 400, body: { error: "user: must be a name, not 'invalid api key'" } }),
    ],
  ])("though it is, or may be, about our account: %s", (_, error) => {
    const { breaker } = setup();
    expect(error.kind).toBe("unauthorized");
    for (let i = 0; i < 100; i++) breaker.pass("t")?.failed(error);
    expect(breaker.state("t")).toBe("closed");
  });

  test("failures that the caller asked for, callers that left, bugs of ours", () => {
    const { breaker } = setup();
    for (let i = 0; i < 100; i++) {
      breaker.pass("t")?.failed(failure("unavailable", true));
      breaker.pass("t")?.failed(new Error("ours"));
      breaker.pass("t")?.abandoned();
    }
    expect(breaker.state("t")).toBe("closed");
  });
});

test("every failure of a provider is told, by its target, whatever it says of it", () => {
  const { breaker, clock, told } = setup();
  breaker.pass("t")?.failed(failure("unauthorized"));
  breaker.pass("t")?.failed(new Error("ours"));
  breaker.pass("t")?.succeeded();
  breaker.pass("t")?.abandoned();
  expect(told).toEqual(["t unauthorized"]);
  fail(breaker, 5);
  clock.timeMs += 10_000;
  breaker.pass("t")?.failed(failure("timeout"));
  expect(told.slice(1)).toEqual([...Array.from({ length: 5 }, () => "t unavailable"), "t timeout"]);
});

test("an answer that breaks off after it had begun is told, and says nothing of its target", () => {
  const { breaker, told } = setup();
  for (let i = 0; i < 100; i++) {
    const pass = breaker.pass("t");
    pass?.succeeded();
    pass?.brokeOff(failure("unavailable"));
  }
  expect(breaker.state("t")).toBe("closed");
  expect(told).toHaveLength(100);
});

describe("after ten seconds one call may try", () => {
  function opened() {
    const made = setup();
    fail(made.breaker, 5);
    made.clock.timeMs += 9_999;
    expect(made.breaker.pass("t")).toBeNull();
    made.clock.timeMs += 1;
    return made;
  }

  test("until then nobody says that it may be up, however long nobody calls", () => {
    const { breaker, clock } = opened();
    clock.timeMs += 3_600_000;
    expect(breaker.state("t")).toBe("open");
    const probe = breaker.pass("t");
    expect(breaker.state("t")).toBe("half_open");
    probe?.abandoned();
    expect(breaker.state("t")).toBe("open");
    breaker.pass("t");
    clock.timeMs += 150_000;
    expect(breaker.state("t")).toBe("open");
  });

  test("and one whose request we refused ourselves says nothing of it", () => {
    const { breaker } = opened();
    breaker.pass("t")?.failed(new ProviderFailure("rejected", "x", { field: "messages" }));
    expect(breaker.state("t")).toBe("open");
  });

  test("and only one, until it is reported on", () => {
    const { breaker } = opened();
    expect(breaker.pass("t")).not.toBeNull();
    expect(breaker.pass("t")).toBeNull();
  });

  test("its success closes, and the past is forgotten", () => {
    const { breaker } = opened();
    breaker.pass("t")?.succeeded();
    expect(breaker.state("t")).toBe("closed");
    fail(breaker, 4);
    expect(breaker.state("t")).toBe("closed");
  });

  test("a refusal shows that the target is up again", () => {
    const { breaker } = opened();
    breaker.pass("t")?.failed(failure("rejected"));
    expect(breaker.state("t")).toBe("closed");
  });

  test("its failure opens for ten seconds more", () => {
    const { breaker, clock } = opened();
    breaker.pass("t")?.failed(failure("timeout"));
    expect(breaker.state("t")).toBe("open");
    clock.timeMs += 10_000;
    expect(breaker.pass("t")).not.toBeNull();
  });

  test("a caller that leaves makes room for the next", () => {
    const { breaker } = opened();
    breaker.pass("t")?.abandoned();
    expect(breaker.pass("t")).not.toBeNull();
  });

  test("a probe that nobody reported on does not block for ever, and its late report changes nothing", () => {
    const { breaker, clock } = opened();
    const lost = breaker.pass("t");
    clock.timeMs += 150_000;
    expect(breaker.pass("t")).not.toBeNull();
    lost?.succeeded();
    expect(breaker.state("t")).toBe("half_open");
  });

  test("calls from before do not open it anew", () => {
    const { breaker, clock } = setup();
    const early = Array.from({ length: 10 }, () => breaker.pass("t"));
    fail(breaker, 5);
    clock.timeMs += 10_000;
    for (const pass of early) pass?.failed(failure("timeout"));
    expect(breaker.pass("t")).not.toBeNull();
  });
});

test("whatever happens, a target that answers well again is called again", () => {
  const step = fc.oneof(
    fc.constant("ok" as const),
    fc.constant("down" as const),
    fc.constant("abandoned" as const),
    fc.integer({ min: 1, max: 200_000 }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const { breaker, clock } = setup();
      for (const what of steps) {
        if (typeof what === "number") clock.timeMs += what;
        else if (what === "ok") breaker.pass("t")?.succeeded();
        else if (what === "abandoned") breaker.pass("t")?.abandoned();
        else breaker.pass("t")?.failed(failure("unavailable"));
      }
      clock.timeMs += 10_000;
      breaker.pass("t")?.succeeded();
      expect(breaker.state("t")).toBe("closed");
    }),
  );
});
