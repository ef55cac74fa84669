import { ProviderFailure } from "../../contract.ts";

/** Of definitions that are written out where they are named, in characters; real tools need a few thousand each. */
const MAX_WRITTEN_OUT = 256 << 10;
/** Of all schemas of a call: more would keep others waiting, and no prompt has room for it. */
const MAX_IN_ALL = 2 << 20;
/** On top of each, so that a long chain of short ones, each of which joins all before it, ends as well. */
const STEP = 1 << 10;
/** For a name that is carried from one list to another: few are shorter where a client writes them. */
const NAME = 8;

/** What the schemas of one call may become longer by: each tool's alone would be little, and a call has a thousand. */
export type UnfoldBudget = {
  /** For a definition that is written out. */
  payDefinition(length: number): void;
  /** For properties, demands and keywords that are joined with others. */
  payNames(count: number): void;
};

/** What each schema may have by itself, and as much again as the client wrote, up to what all may have together. */
export function createUnfoldBudget(schemas: readonly unknown[]): UnfoldBudget {
  let paid = 0;
  let allowed = Math.min(schemas.length * MAX_WRITTEN_OUT, MAX_IN_ALL);
  let isMeasured = false;

  function pay(characters: number): void {
    paid += characters;
    if (paid <= allowed) return;
    if (!isMeasured && allowed < MAX_IN_ALL) {
      // Only now: to measure them costs as much as to send them.
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
