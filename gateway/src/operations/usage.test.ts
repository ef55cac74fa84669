import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Report, Standing } from "../usage/index.ts";
import { balanceNow } from "./usage.ts";

const DAY_MS = 86_400_000;
const NOW = new Date("2026-11-15T12:00:00Z");

function standingOf(fields: Partial<Standing>): Standing {
  return {
    at: NOW,
    subscription: 0,
    anytime: 0,
    held: 0,
    debt: 0,
    periodStart: null,
    periodEnd: null,
    subscriptionGranted: 0,
    isLow: false,
    callsInFlight: 0,
    jobsInFlight: 0,
    ...fields,
  };
}

/** The credits spent on each of the last days, today last. */
function reportOf(spent: readonly number[]): Report {
  const days = spent.map((credits, at) => ({
    day: new Date(NOW.getTime() - (spent.length - 1 - at) * DAY_MS).toISOString().slice(0, 10),
    credits,
    requests: 1,
    failed: 0,
    inputTokens: 0,
    outputTokens: 0,
    tokensSaved: 0,
    cacheRead: 0,
    cacheWritten: 0,
    cacheSaved: 0,
    refusals: [],
    savedByModel: [],
  }));
  return { now: NOW, days, parts: [], choices: { models: [], endpoints: [], keys: [], members: [] } };
}

const inDays = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
const forecast = (fields: Partial<Standing>, spent: readonly number[]) =>
  balanceNow(standingOf(fields), reportOf(spent)).forecast;

describe("the forecast", () => {
  test("is based on the last seven days only", () => {
    const spent = [9_000, ...Array.from({ length: 7 }, () => 65)];
    expect(forecast({ anytime: 700 }, spent)).toMatchObject({ spentPerDay: 70, lastsDays: 10 });
  });

  test("does not average the first day of spending over a week", () => {
    expect(forecast({ anytime: 1_000 }, [0, 0, 0, 0, 0, 0, 100])).toMatchObject({ spentPerDay: 100 });
  });

  test("without spending has no number of days, but still has the credits that will expire", () => {
    const period = { subscription: 500, periodEnd: inDays(3) };
    expect(forecast(period, [0, 0])).toEqual({ spentPerDay: 0, lastsDays: null, expiresUnused: 500 });
  });

  test("counts the plan's credits until they expire, and no later ones", () => {
    const week = Array.from({ length: 7 }, () => 65);
    const period = { subscription: 1_000, anytime: 700, periodEnd: inDays(5) };
    expect(forecast(period, week)).toEqual({ spentPerDay: 70, lastsDays: 15, expiresUnused: 650 });
    const short = { subscription: 140, anytime: 700, periodEnd: inDays(5) };
    expect(forecast(short, week)).toEqual({ spentPerDay: 70, lastsDays: 12, expiresUnused: 0 });
  });

  test("never lasts longer with fewer credits, and never expires more than there are", () => {
    const amount = fc.nat(1_000_000);
    fc.assert(
      fc.property(
        amount,
        amount,
        fc.nat(60),
        fc.array(fc.nat(5_000), { minLength: 7, maxLength: 30 }),
        (...given) => {
          const [subscription, anytime, days, spent] = given;
          const fields = { subscription, anytime, periodEnd: inDays(days) };
          const some = forecast(fields, spent);
          const more = forecast({ ...fields, anytime: anytime + 1_000 }, spent);
          expect(some?.expiresUnused).toBeLessThanOrEqual(subscription);
          expect(some?.expiresUnused).toBeGreaterThanOrEqual(0);
          expect(some?.lastsDays ?? 0).toBeLessThanOrEqual(more?.lastsDays ?? 0);
        },
      ),
    );
  });
});

describe("the balance", () => {
  test("is empty if nothing can be spent, even while credits are held", () => {
    const levelOf = (fields: Partial<Standing>) => balanceNow(standingOf(fields), null).level;
    expect(levelOf({ anytime: 1 })).toBe("fine");
    expect(levelOf({ anytime: 1, isLow: true })).toBe("low");
    expect(levelOf({ held: 5_000 })).toBe("empty");
  });
});
