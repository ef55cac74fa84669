import type { Invalid, Refusal } from "../identity/index.ts";

/** Every refusal of an operation. A face chooses the status, the exit code or the place beside a field. */
export type Problem = {
  readonly code: "not_found" | "forbidden" | "invalid" | "conflict" | "busy" | "too_many";
  readonly message: string;
  /** The input field that is wrong, and what it takes. */
  readonly field?: string;
  readonly accepts?: string;
  /** What was not found. */
  readonly what?: string;
  readonly retryAfterSeconds?: number;
};

/** Ends an operation; its transaction is undone. */
export class Refused extends Error {
  override name = "Refused";
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

export function invalidInput(field: string, message: string): Refused {
  return new Refused({ code: "invalid", message, field });
}

export function notTaken(field: string, accepts: string): Refused {
  return new Refused({ code: "invalid", message: `This takes ${accepts}.`, field, accepts });
}

/** Also for what belongs to others: nobody learns what exists elsewhere. */
export function noSuch(what: string): Refused {
  return new Refused({ code: "not_found", message: `There is no such ${what}.`, what });
}

export function forbidden(message = "Only owners and admins may do that."): Refused {
  return new Refused({ code: "forbidden", message });
}

export function conflict(message: string): Refused {
  return new Refused({ code: "conflict", message });
}

export function busy(message: string, retryAfterSeconds: number): Refused {
  return new Refused({ code: "busy", message, retryAfterSeconds });
}

/** A limit of this caller alone: others are served as usual. */
export function tooMany(message: string, retryAfterSeconds: number): Refused {
  return new Refused({ code: "too_many", message, retryAfterSeconds });
}

/** The mail queue is full. */
export function mailBusy(): Refused {
  return busy("Too many emails are waiting to be sent, so this one was not. Try again in a few minutes.", 60);
}

type Everywhere = Refusal["outcome"] | "invalid";

/**
 * Turns a refusal by identity into a problem. `what` names the thing that was not found; outcomes that are specific to
 * the operation have their own problem in `others`, and the compiler asks for each.
 */
export function refused<Outcome extends string>(
  result: { readonly outcome: Outcome } | Invalid,
  what: string,
  others: { readonly [Name in Exclude<Outcome, Everywhere>]: Refused },
): Refused {
  if ("field" in result) return notTaken(camelCase(result.field), result.accepts);
  if (result.outcome === "not_found") return noSuch(what);
  if (result.outcome === "forbidden") return forbidden("Your role does not allow that.");
  return others[result.outcome as Exclude<Outcome, Everywhere>];
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
