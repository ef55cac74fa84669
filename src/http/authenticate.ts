import type { Authentication, Principal, Scope } from "../identity/index.ts";
import { AppError } from "../kit/index.ts";
import type { HttpDeps } from "./context.ts";

/**
 * Key, then organization, then scope: the first that fails answers. Good keys take the short way and
 * are never slowed by what others from the same address do.
 */
export function principalOf(input: {
  readonly identity: HttpDeps["identity"];
  readonly headers: Headers;
  readonly scope: Scope | "any";
  /** Asked only after a failure: looking up an address costs more than checking a key. */
  clientAddress(): string;
}): Principal | Promise<Principal> {
  const { identity, headers, scope } = input;
  const authentication = identity.authenticate(headers.get("authorization"));
  if (authentication instanceof Promise) {
    return authentication.then((answer) =>
      answer.outcome === "ok" ? allow(answer.principal, scope) : fail(answer),
    );
  }
  return authentication.outcome === "ok" ? allow(authentication.principal, scope) : fail(authentication);

  async function fail(answer: Refused): Promise<never> {
    const verdict = await identity.keyGuard.recordFailure(input.clientAddress());
    if (verdict.outcome === "answer") throw refusal(answer);
    throw new AppError("rate_limit_exceeded", "Too many requests with wrong keys from this address.", {
      retryAfterSeconds: verdict.retryAfterSeconds,
    });
  }
}

type Refused = Exclude<Authentication, { outcome: "ok" }>;

/** What is asked of every caller, however they are known. */
export function allow(principal: Principal, scope: Scope | "any"): Principal {
  if (!principal.organization.active) {
    throw new AppError("org_inactive", "The organization of this key is inactive.");
  }
  if (scope === "any" ? principal.scopes.size === 0 : !principal.scopes.has(scope)) {
    throw new AppError("scope_denied", `This key lacks the scope ${scope}, which the endpoint needs.`);
  }
  return principal;
}

function refusal(answer: Refused): AppError {
  switch (answer.outcome) {
    case "unauthorized":
      return new AppError(
        "unauthorized",
        "Send your API key once, in the header Authorization: Bearer <key>.",
      );
    case "invalid_key":
      return new AppError("invalid_key", "The API key is malformed, revoked or expired.");
    case "key_not_found":
      return new AppError("key_not_found", "The API key is not known.");
  }
}
