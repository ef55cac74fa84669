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
  get status(): number {
    return STATUSES[this.problem.code];
  }
}

export function invalidInput(field: string, message: string): ConsoleProblem {
  return new ConsoleProblem({ code: "invalid", message, field });
}

/** Also for what belongs to others: nobody learns what exists elsewhere. */
export function noSuch(what: string): ConsoleProblem {
  return new ConsoleProblem({ code: "not_found", message: `There is no such ${what}.` });
}

export function forbidden(message = "Only owners and admins may do that."): ConsoleProblem {
  return new ConsoleProblem({ code: "forbidden", message });
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

export function conflict(message: string): ConsoleProblem {
  return new ConsoleProblem({ code: "conflict", message });
}

/** A limit of this person alone: others are served as usual. */
export function tooMany(message: string, retryAfterSeconds: number): ConsoleProblem {
  return new ConsoleProblem({ code: "too_many", message, retryAfterSeconds });
}

/** A limit of this address or account; others are not affected. */
export function tooManyAttempts(retryAfterSeconds: number): ConsoleProblem {
  return busy("Too many attempts. Try again later.", retryAfterSeconds);
}

/** Only a few passwords are hashed at a time. */
export function signInBusy(): ConsoleProblem {
  return busy("Many people are signing in. Try again in a moment.", 5);
}

/** The mail queue is full. */
export function mailBusy(): ConsoleProblem {
  return busy("Too many emails are waiting to be sent, so this one was not. Try again in a few minutes.", 60);
}

export function busy(message: string, retryAfterSeconds: number): ConsoleProblem {
  return new ConsoleProblem({ code: "busy", message, retryAfterSeconds });
}
