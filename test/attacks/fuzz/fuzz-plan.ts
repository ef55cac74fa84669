import { wholeNumber } from "../../../scripts/command-options.ts";
import { PARSER_TARGETS } from "./fuzz-parsers.ts";

/**
 * How many inputs go where. Whole calls get a tenth: each is a hundred times as expensive as one input of a parser.
 */
type FuzzPlan = { readonly requests: number; readonly ofParser: ReadonlyMap<string, number> };

/** Its inputs are a hundred kilobytes each. */
const HEAVY = "long fields";

export function planFuzzing(inputs: number): FuzzPlan {
  const requests = Math.ceil(inputs / 10);
  const shares = PARSER_TARGETS.map(({ name }) => [name, name === HEAVY ? 0.1 : 1] as const);
  const whole = shares.reduce((sum, [, share]) => sum + share, 0);
  const left = inputs - requests;
  return {
    requests,
    ofParser: new Map(shares.map(([name, share]) => [name, Math.ceil((left * share) / whole)])),
  };
}

/** The given seed, or one from the clock; it is printed, so that a failure can be repeated. */
export function seedFrom(given: string | undefined): number {
  return given === undefined || given === ""
    ? Date.now() % 2 ** 31
    : wholeNumber("the seed", given, { least: 0 });
}
