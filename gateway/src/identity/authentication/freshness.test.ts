import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createFreshness, TRUST_MS } from "./freshness.ts";

function setUp() {
  let nowMs = 1_000;
  let wallLeadMs = 5_000_000;
  const heard: string[] = [];
  const freshness = createFreshness({
    clock: { elapsedMs: () => nowMs, nowMs: () => nowMs + wallLeadMs },
    evict: (id) => heard.push(id),
    forget: () => heard.push("everything"),
  });
  return {
    freshness,
    heard,
    pass: (ms: number) => {
      nowMs += ms;
    },
    moveWall: (ms: number) => {
      wallLeadMs += ms;
    },
    check: (version: number) => freshness.complete(freshness.begin(), { version, databaseNowMs: nowMs + 42 }),
  };
}

describe("the cache is trusted", () => {
  test("never before a first check", () => {
    expect(setUp().freshness.trusted()).toBe(false);
  });

  test("until 900 ms after a check began, not after it ended", () => {
    const { freshness, pass } = setUp();
    const started = freshness.begin();
    pass(TRUST_MS - 1);
    freshness.complete(started, { version: 3, databaseNowMs: 0 });
    expect(freshness.trusted()).toBe(true);
    pass(1);
    expect(freshness.trusted()).toBe(false);
  });

  test("no longer when the wall clock jumped, as after a machine's sleep", () => {
    const { freshness, check, moveWall } = setUp();
    check(3);
    moveWall(60_000);
    expect(freshness.trusted()).toBe(false);
    check(3);
    moveWall(-60_000);
    expect(freshness.trusted()).toBe(false);
  });
});

describe("a change", () => {
  test("announced by message clears only its organization", () => {
    const { freshness, check, heard } = setUp();
    check(3);
    heard.length = 0;
    freshness.hear("4 org-a");
    freshness.hear("5 org-b");
    freshness.hear("5 org-c");
    expect(heard).toEqual(["org-a", "org-b", "org-c"]);
    expect(freshness.version).toBe(5);
  });

  test("whose message was lost clears everything", () => {
    const { freshness, check, heard } = setUp();
    check(3);
    heard.length = 0;
    freshness.hear("5 org-b");
    expect(heard).toEqual(["org-b", "everything"]);
    check(6);
    expect(heard).toEqual(["org-b", "everything", "everything"]);
  });

  test("announced before the response to an older check clears nothing more", () => {
    const { freshness, check, heard } = setUp();
    check(3);
    const started = freshness.begin();
    freshness.hear("4 org-a");
    heard.length = 0;
    freshness.complete(started, { version: 3, databaseNowMs: 0 });
    expect(heard).toEqual([]);
    expect(freshness.version).toBe(4);
  });

  test("back to an older version, as after a restore, clears everything", () => {
    const { freshness, check, heard } = setUp();
    check(9);
    heard.length = 0;
    check(2);
    expect(heard).toEqual(["everything"]);
    expect(freshness.version).toBe(2);
  });

  test("announced by an unreadable message clears everything", () => {
    const { freshness, check, heard } = setUp();
    check(3);
    heard.length = 0;
    freshness.hear("gibberish");
    expect(heard).toContain("everything");
    expect(freshness.version).toBe(3);
  });
});

test("the database's clock is followed, whatever the local clock says", () => {
  const { freshness, check, pass } = setUp();
  check(1);
  pass(500);
  expect(freshness.databaseNowMs()).toBe(1_542);
});

// Two organizations, one fact each. A node reads, caches and answers while changes commit, messages arrive late or
// never, and checks run. Whatever it believes must have been true less than TRUST_MS ago.
test("nothing outdated is trusted for longer than the bound, in any order of events", () => {
  const org = fc.constantFrom("a", "b");
  const event = fc.oneof(
    fc.record({ do: fc.constant("change" as const), org, lost: fc.boolean() }),
    fc.record({ do: fc.constant("deliver" as const) }),
    fc.record({ do: fc.constant("read" as const), org }),
    fc.record({ do: fc.constant("remember" as const) }),
    fc.record({ do: fc.constant("ask" as const) }),
    fc.record({ do: fc.constant("answer" as const) }),
    fc.record({ do: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 500 }) }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      let nowMs = 0;
      const truth = { version: 0, a: 0, b: 0 };
      const changedMs = { a: 0, b: 0 };
      const memory = new Map<string, number>();
      const messages: string[] = [];
      const reads: { org: "a" | "b"; value: number; version: number }[] = [];
      const asked: { check: ReturnType<typeof freshness.begin>; version: number }[] = [];
      const freshness = createFreshness({
        clock: { elapsedMs: () => nowMs, nowMs: () => nowMs },
        evict: (id) => memory.delete(id),
        forget: () => memory.clear(),
      });
      for (const one of events) {
        if (one.do === "change") {
          truth.version++;
          truth[one.org as "a" | "b"]++;
          changedMs[one.org as "a" | "b"] = nowMs;
          if (!one.lost) messages.push(`${truth.version} ${one.org}`);
        } else if (one.do === "deliver") {
          const message = messages.shift();
          if (message) freshness.hear(message);
        } else if (one.do === "read") {
          const id = one.org as "a" | "b";
          reads.push({ org: id, value: truth[id], version: truth.version });
        } else if (one.do === "remember") {
          const read = reads.shift();
          if (read && read.version >= freshness.version) memory.set(read.org, read.value);
        } else if (one.do === "ask") {
          asked.push({ check: freshness.begin(), version: truth.version });
        } else if (one.do === "answer") {
          const answer = asked.shift();
          if (answer) freshness.complete(answer.check, { version: answer.version, databaseNowMs: nowMs });
        } else {
          nowMs += one.ms;
        }
        for (const id of ["a", "b"] as const) {
          const outdated = memory.has(id) && memory.get(id) !== truth[id];
          if (outdated && freshness.trusted()) expect(nowMs - changedMs[id]).toBeLessThan(TRUST_MS);
        }
      }
    }),
    { numRuns: 3_000 },
  );
});
