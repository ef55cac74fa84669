import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { networkOf } from "../../identity/index.ts";
import { createSignInBrake } from "./sign-in-brake.ts";

function createClock() {
  let nowMs = 0;
  return {
    clock: { nowMs: () => nowMs, elapsedMs: () => nowMs },
    advance(ms: number) {
      nowMs += ms;
    },
  };
}

describe("the brake on sign-ins", () => {
  test("counts failures by account and by client address, and forgets them after the window", () => {
    const { clock, advance } = createClock();
    const brake = createSignInBrake({ clock, failuresPerTarget: 2, failuresPerNetwork: 3, windowMs: 60_000 });
    const begin = (clientAddress: string, target: string) => brake.begin({ clientAddress, target });
    expect(begin("1.1.1.1", "a").outcome).toBe("go");
    expect(begin("2.2.2.2", "a").outcome).toBe("go");
    expect(begin("3.3.3.3", "a")).toEqual({ outcome: "wait", retryAfterSeconds: 60 });
    expect(begin("1.1.1.1", "b").outcome).toBe("go");
    expect(begin("1.1.1.1", "c").outcome).toBe("go");
    expect(begin("1.1.1.1", "d").outcome).toBe("wait");
    advance(59_999);
    expect(begin("1.1.1.1", "d")).toEqual({ outcome: "wait", retryAfterSeconds: 1 });
    advance(1);
    expect(begin("1.1.1.1", "a").outcome).toBe("go");
  });

  test("allows attempts up to the limit of failures; an attempt that succeeds does not count", () => {
    const { clock } = createClock();
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (successes) => {
        const brake = createSignInBrake({ clock, failuresPerPair: 5, failuresPerNetwork: 100 });
        let failures = 0;
        for (const success of successes) {
          const attempt = brake.begin({ clientAddress: "1.1.1.1", target: "a" });
          expect(attempt.outcome).toBe(failures < 5 ? "go" : "wait");
          if (attempt.outcome !== "go") continue;
          if (success) attempt.succeed();
          else failures++;
        }
      }),
    );
  });

  test("counts a browser that has signed in before by itself, whatever strangers do", () => {
    const { clock } = createClock();
    const brake = createSignInBrake({ clock });
    const stranger = (at: number) => brake.begin({ clientAddress: `10.0.0.${at}`, target: "a" }).outcome;
    const known = (target = "a") =>
      brake.begin({ clientAddress: "10.0.0.1", target, knownBrowser: "mine" }).outcome;
    for (let at = 0; at < 50; at++) expect(stranger(at)).toBe("go");
    expect(stranger(99)).toBe("wait");
    for (let at = 0; at < 10; at++) expect(known()).toBe("go");
    expect([known(), known("b")]).toEqual(["wait", "go"]);
  });

  test("remembers a limited number of accounts, the newest", () => {
    const { clock } = createClock();
    const brake = createSignInBrake({
      clock,
      failuresPerTarget: 1,
      failuresPerNetwork: 1_000_000,
      maxRemembered: 3,
    });
    for (const target of ["a", "b", "c", "d"]) brake.begin({ clientAddress: "1.1.1.1", target });
    expect(brake.begin({ clientAddress: "1.1.1.1", target: "d" }).outcome).toBe("wait");
    expect(brake.begin({ clientAddress: "1.1.1.1", target: "a" }).outcome).toBe("go");
  });
});

describe("failures of an account are not forgotten", () => {
  const limits = { failuresPerTarget: 3, failuresPerNetwork: 4, windowMs: 60_000 };

  function createGuesses(maxRemembered: number) {
    const { clock, advance } = createClock();
    const brake = createSignInBrake({ clock, ...limits, maxRemembered });
    let networks = 0;
    return {
      advance,
      from: (clientAddress: string, target: string) => brake.begin({ clientAddress, target }).outcome,
      fromElsewhere: (target: string) =>
        brake.begin({ clientAddress: `2001:db8:0:${(++networks).toString(16)}::1`, target }).outcome,
    };
  }

  test("after attempts for invented accounts from a network that is refused", () => {
    const { from, fromElsewhere } = createGuesses(6);
    for (let at = 0; at < 3; at++) expect(fromElsewhere("victim")).toBe("go");
    const outcomes = Array.from({ length: 50 }, (_, at) => from("1.1.1.1", `junk-${at}`));
    expect(outcomes.filter((outcome) => outcome === "go")).toHaveLength(4);
    expect(fromElsewhere("victim")).toBe("wait");
  });

  test("after attempts for invented accounts from any number of networks", () => {
    const { fromElsewhere } = createGuesses(6);
    for (let at = 0; at < 2; at++) expect(fromElsewhere("victim")).toBe("go");
    for (let at = 0; at < 200; at++) expect(fromElsewhere(`junk-${at}`)).toBe("go");
    expect([fromElsewhere("victim"), fromElsewhere("victim")]).toEqual(["go", "wait"]);
  });

  test("after other accounts were blocked and their windows ended", () => {
    const { advance, fromElsewhere } = createGuesses(2);
    for (const target of ["x", "x", "x", "y", "y", "y"]) fromElsewhere(target);
    advance(60_000);
    const guesses = ["a", "b", "a", "b", "a", "b"].map(fromElsewhere);
    expect(guesses).toEqual(guesses.map(() => "go"));
    expect([fromElsewhere("a"), fromElsewhere("b")]).toEqual(["wait", "wait"]);
  });

  test("after other people signed in successfully", () => {
    const { clock } = createClock();
    const brake = createSignInBrake({ clock, ...limits, maxRemembered: 2 });
    const begin = (clientAddress: string, target: string) => brake.begin({ clientAddress, target });
    begin("1.1.1.1", "victim");
    for (let at = 0; at < 20; at++) {
      const attempt = begin("2.2.2.2", `person-${at}`);
      if (attempt.outcome === "go") attempt.succeed();
    }
    const outcomes = [3, 4, 5].map((at) => begin(`${at}.0.0.0`, "victim").outcome);
    expect(outcomes).toEqual(["go", "go", "wait"]);
  });
});

test("an IPv6 client is identified by its /64 network, an IPv4 client by its address", () => {
  for (const [address, network] of [
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["64:ff9b::1.2.3.4", "64:ff9b:0:0::/64"],
    ["192.0.2.7", "192.0.2.7"],
    ["unknown", "unknown"],
  ] as const) {
    expect(networkOf(address)).toBe(network);
  }
});
