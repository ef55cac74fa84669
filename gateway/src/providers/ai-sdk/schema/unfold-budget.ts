import { ProviderFailure } from "../../../contract/index.ts";

/** Characters of expanded definitions per schema; real tools need a few thousand. */
const MAX_WRITTEN_OUT = 256 << 10;
/** Characters for all schemas of a call: more would block other requests, and no prompt has room for it. */
const MAX_IN_ALL = 2 << 20;
/** Added per definition, so that a long chain of short ones, each of which includes all before it, ends as well. */
const STEP = 1 << 10;
/** Characters charged for a name copied from one list to another; few names are shorter in a client's schema. */
const NAME = 8;

/**
 * How much longer the schemas of one call may become. It is shared because a limit per tool would add up: a call may
 * have a thousand tools.
 */
export type UnfoldBudget = {
  /** Charges for an expanded definition. */
  payDefinition(length: number): void;
  /** Charges for properties, required names and keywords that are merged with others. */
  payNames(count: number): void;
};

/** An allowance per schema, plus the length of what the client wrote, up to the limit for all. */
export function createUnfoldBudget(schemas: readonly unknown[]): UnfoldBudget {
  let paid = 0;
  let allowed = Math.min(schemas.length * MAX_WRITTEN_OUT, MAX_IN_ALL);
  let isMeasured = false;

  function pay(characters: number): void {
    paid += characters;
    if (paid <= allowed) return;
    if (!isMeasured && allowed < MAX_IN_ALL) {
      // Measured only when needed: it costs as much as sending them.
      isMeasured = true;
      for (const schema of schemas) {
        allowed += (JSON.stringify(schema) ?? "").length + STEP;
        if (allowed >= MAX_IN_ALL) break;
      }
      allowed = Math.min(allowed, MAX_IN_ALL);
    }
    if (paid <= allowed) return;
    throw new ProviderFailure(
      "rejected",
      "This model cannot take a JSON schema whose definitions unfold so far.",
    );
  }

  return {
    payDefinition: (length) => pay(length + STEP),
    payNames: (count) => pay(count * NAME),
  };
}
