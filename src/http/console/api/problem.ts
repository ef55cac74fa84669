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

/** Ends a query or a command; its words are for the person in front of the page. */
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

/** The page shows another organization than the one that is looked at by now. */
export function elsewhere(name: string): ConsoleProblem {
  const message = `Nothing was done: this page showed another organization, and you are now looking at ${name}. Check it and try again.`;
  return new ConsoleProblem({ code: "elsewhere", message });
}

/** The page shows an organization that they belonged to when it was opened. */
export function removed(from: string, now: string): ConsoleProblem {
  const message = `Nothing was done: you are no longer a member of ${from}. You now see ${now}.`;
  return new ConsoleProblem({ code: "elsewhere", message });
}

export function signedOut(): ConsoleProblem {
  return new ConsoleProblem({ code: "signed_out", message: "You are signed out. Please sign in again." });
}

/** Before the sign-in: a visitor is remembered for an hour. */
export function stale(message: string): ConsoleProblem {
  return new ConsoleProblem({ code: "stale", message });
}

export function conflict(message: string): ConsoleProblem {
  return new ConsoleProblem({ code: "conflict", message });
}

/** By whoever asks alone: others are served as ever. */
export function tooMany(message: string, retryAfterSeconds: number): ConsoleProblem {
  return new ConsoleProblem({ code: "too_many", message, retryAfterSeconds });
}

/** By this address or for this account; the others go on. */
export function tooManyAttempts(retryAfterSeconds: number): ConsoleProblem {
  return busy("Too many attempts. Try again later.", retryAfterSeconds);
}

/** Passwords are hashed a few at a time. */
export function signInBusy(): ConsoleProblem {
  return busy("Many people are signing in. Try again in a moment.", 5);
}

/** The queue has no place for another one. */
export function mailBusy(): ConsoleProblem {
  return busy("Too many emails are waiting to be sent, so this one was not. Try again in a few minutes.", 60);
}

export function busy(message: string, retryAfterSeconds: number): ConsoleProblem {
  return new ConsoleProblem({ code: "busy", message, retryAfterSeconds });
}
