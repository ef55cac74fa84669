import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ProviderFailure, type ProviderFailureKind, UnusableFile } from "../contract/index.ts";
import { couldNotFinish } from "../providers/finish-reasons.ts";
import { type Breaker, createBreaker } from "./breaker.ts";
import { failureOf } from "./failures/failure-of.ts";
import { oversizeFailure, unmadeFailure } from "./failures/network-failure.ts";

function setup(isTest = (_target: string) => false) {
  const clock = { timeMs: 0, nowMs: () => clock.timeMs, elapsedMs: () => clock.timeMs };
  const told: string[] = [];
  const onFailed = (target: string, { kind }: ProviderFailure) => void told.push(`${target} ${kind}`);
  return { clock, told, breaker: createBreaker({ clock, onFailed, isTest }) };
}

const failure = (kind: ProviderFailureKind) => new ProviderFailure(kind, "x");
const UNCONNECTED = new ProviderFailure("unavailable", "x", { isUnconnected: true });
const fail = (
  breaker: Breaker,
  times: number,
  error: ProviderFailureKind | ProviderFailure = "unavailable",
  org = "o",
) => {
  for (let i = 0; i < times; i++)
    breaker.pass("t", org)?.failed(typeof error === "string" ? failure(error) : error);
};
/** For one organization, as a call of it would find the target; a call that passes is given back. */
const passes = (breaker: Breaker, org = "o") => {
  const permit = breaker.pass("t", org);
  permit?.abandoned();
  return permit !== null;
};

describe("an organization's own circuit opens", () => {
  test.each(["unavailable", "timeout"] as const)("after five %s failures in a row", (kind) => {
    const { breaker } = setup();
    fail(breaker, 4, kind);
    expect(passes(breaker)).toBe(true);
    fail(breaker, 1, kind);
    expect(passes(breaker)).toBe(false);
  });

  test("when half of twenty calls in thirty seconds failed, even if mixed with successes", () => {
    const { breaker, clock } = setup();
    for (let i = 0; i < 11; i++) {
      clock.timeMs = i * 3_000;
      breaker.pass("t", "o")?.succeeded();
      expect(passes(breaker)).toBe(true);
      fail(breaker, 1);
    }
    expect(passes(breaker)).toBe(false);
  });

  test("but not if as many calls took longer", () => {
    const { breaker, clock } = setup();
    for (let i = 0; i < 40; i++) {
      breaker.pass("t", "o")?.succeeded();
      fail(breaker, 1);
      expect(passes(breaker)).toBe(true);
      clock.timeMs += 3_334;
    }
  });

  test("but not if a success interrupts the row", () => {
    const { breaker } = setup();
    fail(breaker, 4);
    breaker.pass("t", "o")?.succeeded();
    fail(breaker, 4);
    expect(passes(breaker)).toBe(true);
  });

  test("for one target without affecting another", () => {
    const { breaker } = setup();
    fail(breaker, 5);
    expect([breaker.pass("other", "o"), breaker.pass("t", "o")]).toEqual([expect.anything(), null]);
  });
});

describe("the circuit for all", () => {
  test("stays closed while one organization fails, and others are served", () => {
    const { breaker } = setup();
    fail(breaker, 100);
    expect([passes(breaker), passes(breaker, "other"), breaker.state("t")]).toEqual([false, true, "closed"]);
  });

  test("opens after five failures to connect in a row, which no request can cause", () => {
    const { breaker } = setup();
    fail(breaker, 4, UNCONNECTED);
    fail(breaker, 1);
    breaker.pass("t", "other")?.succeeded();
    fail(breaker, 4, UNCONNECTED, "third");
    expect(breaker.state("t")).toBe("closed");
    fail(breaker, 1, UNCONNECTED, "fourth");
    expect([breaker.state("t"), passes(breaker, "other")]).toEqual(["open", false]);
  });

  test("opens when two organizations fail and none succeeds", () => {
    const { breaker } = setup();
    fail(breaker, 4);
    breaker.pass("t", "served")?.succeeded();
    fail(breaker, 1, "timeout", "other");
    fail(breaker, 3, "timeout", "third");
    expect(breaker.state("t")).toBe("closed");
    fail(breaker, 1, "timeout", "third");
    expect([breaker.state("t"), passes(breaker, "served")]).toEqual(["open", false]);
  });

  test("closes as soon as a call that was already running succeeds", () => {
    const { breaker } = setup();
    const running = breaker.pass("t", "served");
    fail(breaker, 4, "unavailable", "first");
    fail(breaker, 4, "unavailable", "second");
    expect(breaker.state("t")).toBe("open");
    running?.succeeded();
    expect([breaker.state("t"), passes(breaker, "first")]).toEqual(["closed", true]);
  });

  test("is not probed by an organization that failed lately, until nobody else did for twenty seconds", () => {
    const { breaker, clock } = setup();
    fail(breaker, 4, "unavailable", "first");
    fail(breaker, 1, "unavailable", "second");
    clock.timeMs += 10_000;
    expect([passes(breaker, "first"), passes(breaker, "other")]).toEqual([false, true]);
    expect(breaker.waitMs("t", "first")).toBe(10_000);
    clock.timeMs += 10_000;
    expect(passes(breaker, "first")).toBe(true);
  });
});

describe("failures that say nothing about the target do not count", () => {
  test.each(["rejected", "context_overflow", "unauthorized", "rate_limited"] as const)("%s", (kind) => {
    const { breaker } = setup();
    fail(breaker, 100, kind);
    expect(passes(breaker)).toBe(true);
  });

  test.each([
    ["an answer that is too long", oversizeFailure("body over 1 bytes", "host")],
    ["an unusable file", new UnusableFile("x", "no picture")],
    ["an answer that could not finish", couldNotFinish("error")],
    ["a request that we could not send", unmadeFailure(new Error("gone"), "host")],
    ["a 4xx of another kind", failureOf({ status: 451, body: "" })],
    ["an error inside a 200 without a code", failureOf({ status: 200, body: { error: "no" } })],
    ["an error inside a 200 with a 4xx code", failureOf({ status: 200, body: { error: { code: 424 } } })],
  ])("%s, though its kind is unavailable", (_, error) => {
    const { breaker } = setup();
    expect(error.kind).toBe("unavailable");
    for (let i = 0; i < 100; i++) breaker.pass("t", "o")?.failed(error);
    expect(passes(breaker)).toBe(true);
  });

  test.each([
    ["a 5xx", failureOf({ status: 500, body: "" })],
    ["an error inside a 200 with a 5xx code", failureOf({ status: 200, body: { error: { code: "503" } } })],
    ["overload", failureOf({ status: 200, body: { error: { type: "overloaded_error" } } })],
    ["a redirect", failureOf({ status: 302, body: "" })],
  ])("unlike failures of the server itself: %s", (_, error) => {
    const { breaker } = setup();
    for (let i = 0; i < 5; i++) breaker.pass("t", "o")?.failed(error);
    expect(passes(breaker)).toBe(false);
  });

  const said = (status: number, error: unknown) => failureOf({ status, body: { error } });
  const LOW = "Your credit balance is too low to access the Anthropic API.";
  const ECHO = "user: must be a name, not 'invalid api key'";

  test.each([
    ["a key that is refused", failureOf({ status: 401, body: "" })],
    ["an account that is empty", said(402, "Insufficient Balance")],
    [
      "a key that is refused with a 400",
      said(400, { message: "API key not valid.", details: [{ reason: "API_KEY_INVALID" }] }),
    ],
    ["a key that is refused with a 403", said(403, { type: "authentication_error" })],
    ["an account that is empty, with a 400", said(400, { type: "invalid_request_error", message: LOW })],
    ["flagged input", said(403, "Input was flagged")],
    ["an unknown model", said(404, { code: "model_not_found" })],
    ["a denied permission", said(403, { status: "PERMISSION_DENIED" })],
    ["more tokens than we can pay for", said(402, "Requires more credits, or fewer max_tokens.")],
    [
      "more characters than we can pay for",
      failureOf({ status: 401, body: { detail: { status: "quota_exceeded" } } }),
    ],
    ["a missing scope", said(401, { message: "Missing scopes: api.responses.write" })],
    ["an echo of our own text", said(400, { message: ECHO })],
  ])("even if they are, or may be, about our account: %s", (_, error) => {
    const { breaker } = setup();
    expect(error.kind).toBe("unauthorized");
    for (let i = 0; i < 100; i++) breaker.pass("t", "o")?.failed(error);
    expect(passes(breaker)).toBe(true);
  });

  test("callers that left, and errors of our own", () => {
    const { breaker } = setup();
    for (let i = 0; i < 100; i++) {
      breaker.pass("t", "o")?.failed(new Error("ours"));
      breaker.pass("t", "o")?.abandoned();
    }
    expect(passes(breaker)).toBe(true);
  });
});

test("a target made for tests is always asked, and its failures are marked and nobody's news", () => {
  const { breaker, told } = setup((target) => target === "t");
  const failing = failure("unavailable");
  for (let i = 0; i < 100; i++) breaker.pass("t", "o")?.failed(failing);
  breaker.pass("t", "o")?.brokeOff(failing);
  expect([passes(breaker), breaker.state("t"), told]).toEqual([true, "closed", []]);
  expect(failing).toMatchObject({ target: "t", isOfTest: true });
});

test("every provider failure is reported with its target, and nothing else is", () => {
  const { breaker, clock, told } = setup();
  breaker.pass("t", "o")?.failed(failure("unauthorized"));
  breaker.pass("t", "o")?.failed(new Error("ours"));
  breaker.pass("t", "o")?.succeeded();
  breaker.pass("t", "o")?.abandoned();
  expect(told).toEqual(["t unauthorized"]);
  fail(breaker, 5);
  clock.timeMs += 10_000;
  breaker.pass("t", "o")?.failed(failure("timeout"));
  expect(told.slice(1)).toEqual([...Array.from({ length: 5 }, () => "t unavailable"), "t timeout"]);
});

test("an answer that breaks off after its start is reported, and does not count", () => {
  const { breaker, told } = setup();
  for (let i = 0; i < 100; i++) {
    const pass = breaker.pass("t", "o");
    pass?.succeeded();
    pass?.brokeOff(failure("unavailable"));
  }
  expect(passes(breaker)).toBe(true);
  expect(told).toHaveLength(100);
});

describe("ten seconds after it opened, the breaker", () => {
  function opened() {
    const made = setup();
    fail(made.breaker, 5, UNCONNECTED);
    made.clock.timeMs += 9_999;
    expect(made.breaker.pass("t", "o")).toBeNull();
    made.clock.timeMs += 1;
    return made;
  }

  test("is half open only while a probe runs, however long nobody calls", () => {
    const { breaker, clock } = opened();
    clock.timeMs += 3_600_000;
    expect(breaker.state("t")).toBe("open");
    const probe = breaker.pass("t", "o");
    expect(breaker.state("t")).toBe("half_open");
    probe?.abandoned();
    expect(breaker.state("t")).toBe("open");
    breaker.pass("t", "o");
    clock.timeMs += 5_000;
    expect(breaker.state("t")).toBe("open");
  });

  test("stays open if we refused the request of the probe ourselves", () => {
    const { breaker } = opened();
    breaker.pass("t", "o")?.failed(new ProviderFailure("rejected", "x", { field: "messages" }));
    expect(breaker.state("t")).toBe("open");
  });

  test("lets four calls through, and four more if none of them has an outcome within five seconds", () => {
    const { breaker, clock } = opened();
    const four = () => {
      for (let i = 0; i < 4; i++) expect(breaker.pass("t", `org ${i}`)).not.toBeNull();
      expect(breaker.pass("t", "fifth")).toBeNull();
      expect(breaker.waitMs("t", "fifth")).toBe(5_000);
    };
    four();
    clock.timeMs += 5_000;
    four();
  });

  test("is decided by the first outcome of its probes", () => {
    const { breaker, clock } = opened();
    const [first, second] = [breaker.pass("t", "a"), breaker.pass("t", "b")];
    first?.failed(failure("timeout"));
    clock.timeMs += 5_000;
    second?.failed(failure("timeout"));
    clock.timeMs += 5_000;
    expect(passes(breaker, "c")).toBe(true);
  });

  test("closes after a success, and forgets earlier failures", () => {
    const { breaker } = opened();
    breaker.pass("t", "o")?.succeeded();
    expect(breaker.state("t")).toBe("closed");
    fail(breaker, 4);
    expect(breaker.state("t")).toBe("closed");
  });

  test("closes after a rejection, which shows that the target is up", () => {
    const { breaker } = opened();
    breaker.pass("t", "o")?.failed(failure("rejected"));
    expect(breaker.state("t")).toBe("closed");
  });

  test("opens again after a failure, and lets a call through ten seconds later", () => {
    const { breaker, clock } = opened();
    breaker.pass("t", "o")?.failed(failure("timeout"));
    expect(breaker.state("t")).toBe("open");
    clock.timeMs += 10_000;
    expect(breaker.pass("t", "other")).not.toBeNull();
  });

  test("lets the next call through if the caller leaves", () => {
    const { breaker } = opened();
    breaker.pass("t", "o")?.abandoned();
    expect(breaker.pass("t", "o")).not.toBeNull();
  });

  test("lets a call through despite late failures of earlier calls", () => {
    const { breaker, clock } = setup();
    const early = Array.from({ length: 10 }, () => breaker.pass("t", "o"));
    fail(breaker, 5);
    clock.timeMs += 10_000;
    for (const pass of early) pass?.failed(failure("timeout"));
    expect(breaker.pass("t", "o")).not.toBeNull();
  });
});

test("after any history and twenty seconds, a call is let through and its success closes the breaker", () => {
  const step = fc.oneof(
    fc.constant("ok" as const),
    fc.constant("down" as const),
    fc.constant("other" as const),
    fc.constant("unconnected" as const),
    fc.constant("abandoned" as const),
    fc.integer({ min: 1, max: 200_000 }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const { breaker, clock } = setup();
      for (const what of steps) {
        if (typeof what === "number") clock.timeMs += what;
        else if (what === "ok") breaker.pass("t", "o")?.succeeded();
        else if (what === "abandoned") breaker.pass("t", "o")?.abandoned();
        else if (what === "other") fail(breaker, 1, "timeout", "other");
        else if (what === "unconnected") fail(breaker, 1, UNCONNECTED);
        else fail(breaker, 1);
      }
      clock.timeMs += 20_000;
      breaker.pass("t", "o")?.succeeded();
      expect([breaker.state("t"), breaker.waitMs("t", "o")]).toEqual(["closed", 0]);
    }),
  );
});
