import { busy, Refused } from "../../../operations/index.ts";
import type { Problem } from "../contract.ts";

const STATUSES: Readonly<Record<Problem["code"], number>> = {
  signed_out: 401,
  stale: 403,
  forbidden: 403,
  elsewhere: 403,
  not_found: 404,
  invalid: 400,
  busy: 503,
  too_many: 429,
  conflict: 409,
  failed: 500,
};

/** Ends a query or a command; the message is meant for the person at the page. */
export class ConsoleProblem extends Error {
  override name = "ConsoleProblem";
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** The problem that ended it, whether ours or of the table of operations; null for anything else. */
export function problemIn(error: unknown): (Problem & { readonly status: number }) | null {
  if (!(error instanceof ConsoleProblem || error instanceof Refused)) return null;
  const { code, message, field, retryAfterSeconds } = error.problem;
  return {
    status: STATUSES[code],
    code,
    message,
    ...(field === undefined ? {} : { field }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** The page shows another organization than the session's current one. */
export function elsewhere(name: string): ConsoleProblem {
  const message = `Nothing was done: this page showed another organization, and you are now looking at ${name}. Check it and try again.`;
  return new ConsoleProblem({ code: "elsewhere", message });
}

/** The page shows an organization that the person no longer belongs to. */
export function removed(from: string, now: string): ConsoleProblem {
  const message = `Nothing was done: you are no longer a member of ${from}. You now see ${now}.`;
  return new ConsoleProblem({ code: "elsewhere", message });
}

export function signedOut(): ConsoleProblem {
  return new ConsoleProblem({ code: "signed_out", message: "You are signed out. Please sign in again." });
}

/** For pages without a session: the visitor cookie lasts an hour. */
export function stale(message: string): ConsoleProblem {
  return new ConsoleProblem({ code: "stale", message });
}

/** A limit of this address or account; others are not affected. */
export function tooManyAttempts(retryAfterSeconds: number): Refused {
  return busy("Too many attempts. Try again later.", retryAfterSeconds);
}

/** Only a few passwords are hashed at a time. */
export function signInBusy(): Refused {
  return busy("Many people are signing in. Try again in a moment.", 5);
}
