import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { PromptKind, TokenSumStore, TokenSums } from "../../usage/index.ts";
import { createTokenCorrections, promptKindOf, type TokenCorrections } from "./token-correction.ts";

const MODEL = "a-model";
const ASKER = { orgId: "an-organization", model: MODEL };
const KINDS: readonly PromptKind[] = ["plain", "schema", "tools"];

/** Records what it is given and sums up nothing: how nodes combine their sums is tested with the database. */
function lonelyStore(): TokenSumStore & { readonly given: TokenSums[]; isAway: boolean } {
  const given: TokenSums[] = [];
  return {
    given,
    isAway: false,
    async add(seen, from) {
      if (this.isAway) throw new Error("the database is away");
      given.push(...seen);
      return from === "ever" ? [...given] : [...seen];
    },
  };
}

/** How much longer prompts are taken to be than by our own count. */
function factorOf(corrections: TokenCorrections): number {
  return corrections.correct(MODEL, { tokens: 1_000_000, kind: "plain" }) / 1_000_000;
}

function learnMany(
  corrections: TokenCorrections,
  calls: number,
  of: { tokens: number; kind?: PromptKind; reported: number },
) {
  for (let call = 0; call < calls; call++) {
    corrections.learn(ASKER, { tokens: of.tokens, kind: of.kind ?? "plain" }, of.reported);
  }
}

describe("a token correction", () => {
  test("leaves counts unchanged for a model of which nothing is known", () => {
    const corrections = createTokenCorrections(lonelyStore());
    expect(factorOf(corrections)).toBe(1);
    for (const kind of KINDS) expect(corrections.correct(MODEL, { tokens: 123, kind })).toBe(123);
  });

  test("follows the ratio of long prompts within a few dozen calls, but not after the first", () => {
    const corrections = createTokenCorrections(lonelyStore());
    learnMany(corrections, 1, { tokens: 5_000, reported: 6_250 });
    expect(factorOf(corrections)).toBeWithin(1.01, 1.1);
    learnMany(corrections, 60, { tokens: 5_000, reported: 6_250 });
    expect(factorOf(corrections)).toBeWithin(1.2, 1.26);
  });

  test("learns from short prompts what a provider adds for tools, without changing the factor", () => {
    const corrections = createTokenCorrections(lonelyStore());
    learnMany(corrections, 40, { tokens: 80, kind: "tools", reported: 600 });
    expect(factorOf(corrections)).toBe(1);
    expect(corrections.correct(MODEL, { tokens: 80, kind: "tools" })).toBeWithin(540, 601);
    expect(corrections.correct(MODEL, { tokens: 80, kind: "plain" })).toBe(80);
    // Long prompts with tools then show the factor of the text, without the added tokens.
    learnMany(corrections, 60, { tokens: 10_000, kind: "tools", reported: 10_500 });
    expect(factorOf(corrections)).toBeWithin(0.99, 1.01);
  });

  test("learns nothing from prompts of medium length, which mix both effects", () => {
    const corrections = createTokenCorrections(lonelyStore());
    learnMany(corrections, 50, { tokens: 2_000, kind: "tools", reported: 2_600 });
    expect(corrections.correct(MODEL, { tokens: 2_000, kind: "tools" })).toBe(2_000);
  });

  test("is not dominated by one enormous prompt", () => {
    const corrections = createTokenCorrections(lonelyStore());
    learnMany(corrections, 100, { tokens: 5_000, reported: 5_000 });
    learnMany(corrections, 1, { tokens: 1_000_000, reported: 2_000_000 });
    expect(factorOf(corrections)).toBeLessThan(1.05);
  });

  test("ignores implausible reports", () => {
    const corrections = createTokenCorrections(lonelyStore());
    for (const reported of [0, -5, Number.NaN, Number.POSITIVE_INFINITY, 0.5, 2 ** 60, 40_000, 900]) {
      learnMany(corrections, 20, { tokens: 10_000, reported });
      learnMany(corrections, 20, { tokens: 50, reported: reported === 900 ? 14_000 : reported });
    }
    learnMany(corrections, 20, { tokens: Number.NaN, reported: 100 });
    expect(corrections.correct(MODEL, { tokens: 10_000, kind: "plain" })).toBe(10_000);
  });

  test("keeps its factor between 0.5 and 2 and never subtracts tokens, whatever is reported", () => {
    const call = fc.record({
      tokens: fc.oneof(fc.integer({ min: -10, max: 2_000_000 }), fc.double()),
      kind: fc.constantFrom(...KINDS),
      reported: fc.oneof(fc.integer({ min: -10, max: 5_000_000 }), fc.double()),
    });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
        const corrections = createTokenCorrections(lonelyStore());
        for (const { tokens, kind, reported } of calls) corrections.learn(ASKER, { tokens, kind }, reported);
        expect(factorOf(corrections)).toBeWithin(0.5, 2.000001);
        for (const kind of KINDS) {
          expect(corrections.correct(MODEL, { tokens: 1_000, kind })).toBeWithin(500, 3_001);
        }
      }),
    );
  });
});

describe("an organization's own correction", () => {
  const other = { ...ASKER, orgId: "another" };
  const prompt = { tokens: 10_000, kind: "plain" } as const;

  test("changes the shown estimates of everybody, but corrects no other organization", async () => {
    const corrections = createTokenCorrections(lonelyStore());
    learnMany(corrections, 100, { tokens: 5_000, reported: 7_500 });
    learnMany(corrections, 20, { tokens: 50, reported: 650 });
    expect(corrections.correctFor(ASKER, prompt)).toBeWithin(14_500, 15_600);
    expect(corrections.correctFor({ ...ASKER, model: "another-model" }, prompt)).toBe(10_000);
    expect(corrections.correctFor(other, prompt)).toBe(10_000);
    await corrections.exchange();
    expect(corrections.correctFor(other, prompt)).toBe(10_000);
    expect(corrections.correct(MODEL, prompt)).toBe(corrections.correctFor(ASKER, prompt));
  });

  test("does not depend on what others report", () => {
    const report = fc.record({
      isOwn: fc.boolean(),
      tokens: fc.integer({ min: 1, max: 50_000 }),
      percent: fc.integer({ min: 1, max: 400 }),
      kind: fc.constantFrom(...KINDS),
    });
    fc.assert(
      fc.property(fc.array(report, { maxLength: 80 }), (reports) => {
        const among = createTokenCorrections(lonelyStore());
        const alone = createTokenCorrections(lonelyStore());
        for (const { isOwn, tokens, percent, kind } of reports) {
          const reported = Math.ceil((tokens * percent) / 100);
          among.learn(isOwn ? ASKER : other, { tokens, kind }, reported);
          if (isOwn) alone.learn(ASKER, { tokens, kind }, reported);
        }
        for (const kind of KINDS) {
          const asked = { tokens: 12_345, kind };
          expect(among.correctFor(ASKER, asked)).toBe(alone.correctFor(ASKER, asked));
        }
      }),
    );
  });

  test("is not raised by one other organization, even after an exchange", async () => {
    const report = fc.record({
      isOwn: fc.boolean(),
      tokens: fc.integer({ min: 3_000, max: 50_000 }),
      percent: fc.integer({ min: 1, max: 400 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(report, { maxLength: 80 }), async (reports) => {
        const among = createTokenCorrections(lonelyStore());
        const alone = createTokenCorrections(lonelyStore());
        for (const { isOwn, tokens, percent } of reports) {
          const estimate = { tokens, kind: "plain" } as const;
          const reported = Math.ceil((tokens * percent) / 100);
          among.learn(isOwn ? ASKER : other, estimate, reported);
          if (isOwn) alone.learn(ASKER, estimate, reported);
        }
        await Promise.all([among.exchange(), alone.exchange()]);
        const [one, two] = [among, alone].map((each) => Math.max(10_000, each.correctFor(ASKER, prompt)));
        expect(one).toBe(two as number);
      }),
    );
  });

  test("is known again after a restart and an exchange", async () => {
    const store = lonelyStore();
    const corrections = createTokenCorrections(store);
    learnMany(corrections, 100, { tokens: 5_000, reported: 7_500 });
    await corrections.exchange();
    const restarted = createTokenCorrections(store);
    expect(restarted.correctFor(ASKER, prompt)).toBe(10_000);
    await restarted.exchange();
    expect(restarted.correctFor(ASKER, prompt)).toBe(corrections.correctFor(ASKER, prompt));
    // Handed over once: the next round has nothing to add.
    expect(store.given).toHaveLength(1);
  });

  test("is forgotten once ten thousand other organizations have learned since", async () => {
    const store = lonelyStore();
    const corrections = createTokenCorrections(store);
    learnMany(corrections, 100, { tokens: 5_000, reported: 7_500 });
    await corrections.exchange();
    expect(corrections.correctFor(ASKER, prompt)).toBeGreaterThan(14_500);
    for (let org = 0; org < 9_999; org++) corrections.learn({ ...ASKER, orgId: `o${org}` }, prompt, 10_000);
    expect(corrections.correctFor(ASKER, prompt)).toBeGreaterThan(14_500);
    corrections.learn(other, prompt, 10_000);
    expect(corrections.correctFor(ASKER, prompt)).toBe(10_000);
  });
});

describe("a correction that several organizations agree on", () => {
  const prompt = { tokens: 10_000, kind: "plain" } as const;
  const newcomer = { ...ASKER, orgId: "a-newcomer" };

  async function heldAfter(...reports: readonly { org: string; times: number; calls?: number }[]) {
    const corrections = createTokenCorrections(lonelyStore());
    for (const { org, times, calls = 40 } of reports) {
      for (let call = 0; call < calls; call++) {
        corrections.learn({ ...ASKER, orgId: org }, { tokens: 5_000, kind: "plain" }, 5_000 * times);
      }
    }
    await corrections.exchange();
    return corrections.correctFor(newcomer, prompt);
  }
  const agreeing = (count: number, times: number) =>
    Array.from({ length: count }, (_, at) => ({ org: `o${at}`, times }));

  test("applies to an organization of which nothing is known", async () => {
    expect(await heldAfter(...agreeing(2, 1.8))).toBeWithin(13_500, 14_500);
    // Enough, with the extra fifth that every hold has beyond its estimate.
    expect((await heldAfter(...agreeing(4, 1.8))) * 1.2).toBeGreaterThan(18_000);
  });

  test("is never raised or lowered much by one organization alone, however many calls it makes", async () => {
    const evil = { org: "evil", times: 2.4, calls: 5_000 };
    expect(await heldAfter(evil)).toBe(10_000);
    expect(await heldAfter(evil, ...agreeing(3, 1))).toBe(10_000);
    const without = await heldAfter(...agreeing(5, 1.3));
    expect(await heldAfter(evil, ...agreeing(5, 1.3))).toBeLessThan(without * 1.05);
    // Nor can one organization lower by much what many agree on.
    const low = { org: "evil", times: 0.45, calls: 5_000 };
    expect(await heldAfter(low, ...agreeing(5, 1.8))).toBeGreaterThan(13_500);
  });

  test("includes what providers add for tools", async () => {
    const corrections = createTokenCorrections(lonelyStore());
    const asked = { tokens: 80, kind: "tools" } as const;
    for (const { org } of agreeing(3, 1)) {
      for (let call = 0; call < 20; call++) corrections.learn({ ...ASKER, orgId: org }, asked, 600);
    }
    await corrections.exchange();
    expect(corrections.correctFor(newcomer, asked)).toBeWithin(480, 601);
    expect(corrections.correctFor(newcomer, { tokens: 80, kind: "plain" })).toBe(80);
  });
});

describe("an exchange of sums", () => {
  test("stores what was learned exactly once", async () => {
    const store = lonelyStore();
    const corrections = createTokenCorrections(store);
    learnMany(corrections, 3, { tokens: 4_000, reported: 5_000 });
    await corrections.exchange();
    await corrections.exchange();
    expect(store.given).toEqual([
      { ...ASKER, kind: "plain", estimated: 12_000, reported: 15_000, calls: 0, beyond: 0 },
    ]);
  });

  test("applies what other nodes have learned, of all organizations together", async () => {
    const half = { kind: "tools", estimated: 1.5e6, reported: 1.8e6, calls: 48.5, beyond: 25_000 } as const;
    const stored = ["one", "another"].map((orgId) => ({ orgId, model: MODEL, ...half }));
    const corrections = createTokenCorrections({ add: async () => stored });
    await corrections.exchange();
    expect(factorOf(corrections)).toBeCloseTo(1.2, 2);
    expect(corrections.correct(MODEL, { tokens: 100, kind: "tools" })).toBeWithin(615, 625);
  });

  test("keeps what could not be stored, and applies it in the meantime", async () => {
    const store = lonelyStore();
    const corrections = createTokenCorrections(store);
    learnMany(corrections, 30, { tokens: 4_000, reported: 6_000 });
    const before = factorOf(corrections);
    store.isAway = true;
    const failed = corrections.exchange();
    expect(factorOf(corrections)).toBe(before);
    await expect(failed).rejects.toThrow("away");
    store.isAway = false;
    await corrections.exchange();
    expect(store.given).toHaveLength(1);
    expect(store.given[0]?.reported).toBe(180_000);
    expect(factorOf(corrections)).toBe(before);
  });

  test("stores bounded sums even after thousands of calls", async () => {
    const store = lonelyStore();
    const corrections = createTokenCorrections(store);
    learnMany(corrections, 5_000, { tokens: 20_000, reported: 20_000 });
    learnMany(corrections, 5_000, { tokens: 10, reported: 20 });
    await corrections.exchange();
    expect(store.given[0]?.estimated).toBeLessThanOrEqual(1_000_000);
    expect(store.given[0]?.calls).toBeLessThanOrEqual(200);
  });
});

test("the kind of a prompt is tools if it has any, else schema if it has one, else plain", () => {
  const schema = { type: "json_schema", name: "a", schema: {} } as const;
  expect(promptKindOf({})).toBe("plain");
  expect(promptKindOf({ tools: [] })).toBe("plain");
  expect(promptKindOf({ responseFormat: schema })).toBe("schema");
  expect(promptKindOf({ responseFormat: schema, tools: [{ name: "b" }] })).toBe("tools");
});
