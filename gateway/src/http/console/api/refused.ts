import type { Invalid, Refusal } from "../../../identity/index.ts";
import { type ConsoleProblem, forbidden, invalidInput, noSuch } from "./problem.ts";

type Everywhere = Refusal["outcome"] | "invalid";

/**
 * Turns a refusal by identity into a problem. `what` names the thing that was not found; outcomes that are specific to
 * the caller have their own problem in `others`, and the compiler asks for each.
 */
export function refused<Outcome extends string>(
  result: { readonly outcome: Outcome } | Invalid,
  what: string,
  others: { readonly [Name in Exclude<Outcome, Everywhere>]: ConsoleProblem },
): ConsoleProblem {
  if ("field" in result) {
    return invalidInput(FIELDS[result.field] ?? result.field, `This takes ${result.accepts}.`);
  }
  if (result.outcome === "not_found") return noSuch(what);
  if (result.outcome === "forbidden") return forbidden("Your role does not allow that.");
  return others[result.outcome as Exclude<Outcome, Everywhere>];
}

/** The contract's names of fields that identity names differently. */
const FIELDS: Readonly<Record<string, string>> = {
  requests_per_minute: "requestsPerMinute",
  in_flight: "inFlight",
  expires_in: "expiresInDays",
  grace: "graceHours",
};
