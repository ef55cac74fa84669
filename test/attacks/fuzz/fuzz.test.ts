import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type FuzzGateway, startFuzzGateway } from "./fuzz-gateway.ts";
import { fuzzParser, PARSER_TARGETS } from "./fuzz-parsers.ts";
import { planFuzzing, seedFrom } from "./fuzz-plan.ts";
import { fuzzRequests } from "./fuzz-requests.ts";
import { MOST_BLOCKED_MS } from "./loop-watch.ts";
import { expectSound } from "./sound-gateway.ts";

const isWhole = process.env["BURSAR_TEST_ATTACKS"] === "1" || process.env["BURSAR_TEST_LONG"] === "1";
/** `npm run fuzz` takes a million by default, `npm run attacks` what is whole here. */
const INPUTS = isWhole ? 100_000 : 15_000;
const LONG_MS = 120_000;

const plan = planFuzzing(INPUTS);
// The same inputs each time unless asked for others, so that a change is not blamed for an old bug.
const seed = seedFrom(process.env["BURSAR_FUZZ_SEED"] ?? "1");
console.log(`fuzzing: ${INPUTS} inputs, seed ${seed} (BURSAR_FUZZ_SEED=${seed} repeats them)`);

describe("mutated input is parsed or refused, and takes no long time", () => {
  test.each(PARSER_TARGETS.map((target) => [target.name, target] as const))(
    "%s",
    (_, target) => {
      expect(fuzzParser(target, plan.ofParser.get(target.name) ?? 0, seed).findings).toEqual([]);
    },
    LONG_MS,
  );
});

describe("mutated requests", () => {
  let fuzzed: FuzzGateway;
  beforeAll(async () => {
    fuzzed = await startFuzzGateway();
  });
  afterAll(() => fuzzed.close());

  test(
    "to every route, page and command are answered: no 5xx of ours, no leak, and no blocked event loop",
    async () => {
      const run = await fuzzRequests(fuzzed, plan.requests, seed);
      expect(run.findings).toEqual([]);
      expect(run.inputs).toBe(plan.requests);
      expect(run.longestMs).toBeLessThan(MOST_BLOCKED_MS);
      // Most are refused, but enough must get all the way through for the run to be useful.
      expect(run.statuses["200"] ?? 0).toBeGreaterThan(plan.requests / 20);
      await expectSound(fuzzed);
    },
    LONG_MS,
  );
});
