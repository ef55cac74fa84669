import type { Authentication, Principal, Scope } from "../identity/index.ts";
import { AppError } from "../kit/index.ts";
import type { Connection, HttpDeps } from "./context.ts";

type Asking = {
  readonly identity: HttpDeps["identity"];
  readonly headers: Headers;
  readonly scope: Scope | "any";
  /** Length of every key, for the error message. */
  readonly keyChars: number;
  /** Called only after a failure: resolving the client's address costs more than checking a key. */
  clientAddress(request: Request, connection: Connection): string;
  readonly request: Request;
  readonly connection: Connection;
  /** Gets every caller that is known, even if it may not make the call. */
  readonly logged: { principal?: Principal };
};

/**
 * Checks the key, then the organization, then the scope; the first that fails answers. Good keys take a short path, and
 * are never slowed down by what others do from the same address.
 */
export function principalOf(asking: Asking): Principal | Promise<Principal> {
  const { identity, headers, scope } = asking;
  const authentication = identity.authenticate(headers.get("authorization"));
  if (authentication instanceof Promise) return whenKnown(asking, authentication);
  if (authentication.outcome !== "ok") return fail(asking, authentication);
  asking.logged.principal = authentication.principal;
  return allow(authentication.principal, scope);
}

async function whenKnown(asking: Asking, authentication: Promise<Authentication>): Promise<Principal> {
  const answer = await authentication;
  if (answer.outcome !== "ok") return fail(asking, answer);
  asking.logged.principal = answer.principal;
  return allow(answer.principal, asking.scope);
}

async function fail(
  { identity, keyChars, clientAddress, request, connection }: Asking,
  answer: Refused,
): Promise<never> {
  const verdict = await identity.keyGuard.recordFailure(clientAddress(request, connection));
  if (verdict.outcome === "answer") throw refusal(answer, keyChars);
  throw new AppError("rate_limit_exceeded", "Too many requests with wrong keys from this address.", {
    retryAfterSeconds: verdict.retryAfterSeconds,
  });
}

type Refused = Exclude<Authentication, { outcome: "ok" }>;

/** Checks that every caller must pass, whether identified by a key or by a page of ours. */
export function allow(principal: Principal, scope: Scope | "any"): Principal {
  if (!principal.organization.active) {
    throw new AppError("org_inactive", "The organization of this key is inactive.");
  }
  if (scope === "any" ? principal.scopes.size === 0 : !principal.scopes.has(scope)) {
    throw new AppError("scope_denied", `This key lacks the scope ${scope}, which the endpoint needs.`);
  }
  return principal;
}

function refusal(answer: Refused, keyChars: number): AppError {
  switch (answer.outcome) {
    case "unauthorized":
      return new AppError(
        "unauthorized",
        "Send your API key once, in the header Authorization: Bearer <key>.",
      );
    case "invalid_key":
      return new AppError(
        "invalid_key",
        answer.fault === "malformed"
          ? `The API key is malformed. Send all of its ${keyChars} characters as they were shown, with nothing around them: no quotes, no brackets, no second Bearer.`
          : `The API key ${answer.fault === "revoked" ? "was revoked" : "has expired"}.`,
      );
    case "key_not_found":
      return new AppError("key_not_found", "The API key is not known.");
  }
}
