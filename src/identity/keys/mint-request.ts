import { DAY_MS } from "../../kit/index.ts";
import { parseDisplayText } from "../display-text.ts";
import type { KeyLimits } from "../principal.ts";
import { type Invalid, refuse } from "../refusal.ts";
import type { Actor } from "../role.ts";
import { isScope, SCOPES, type Scope } from "../scopes.ts";

export type MintRequest = {
  organizationId: string;
  name: string;
  /** Words that people give; each must be one of SCOPES. */
  scopes: readonly string[];
  /** From now on, by the database's clock; null for a key without an end. */
  expiresInMs?: number | null;
  /** The very moment; where both are given, the earlier end holds. */
  expiresAt?: Date | null;
  /** Below the plan's; null or absent where the plan's hold. */
  requestsPerMinute?: number | null;
  inFlight?: number | null;
  actor: Actor;
};

type ParsedKey = {
  name: string;
  scopes: readonly Scope[];
  limits: KeyLimits;
  expiresInMs: number | null;
  expiresAt: Date | null;
};

/** What lists call the key of the console's own calls: no other may pass for it. */
export const INTERNAL_NAME = "Console";
const MAX_NAME_CHARS = 100;
export const MAX_EXPIRY_MS = 3_660 * DAY_MS;
const MAX_LIMIT = 1_000_000;

export function parseMintRequest(request: MintRequest): { outcome: "ok"; key: ParsedKey } | Invalid {
  const name = parseDisplayText({ field: "name", text: request.name, maxChars: MAX_NAME_CHARS });
  if (name.outcome === "invalid") return name;
  if (name.text.toLowerCase() === INTERNAL_NAME.toLowerCase())
    return refuse("name", `another name than ${INTERNAL_NAME}, which is the console's own key`);
  // One longer than the list cannot be a set of it, and is not worth walking through.
  const scopes = request.scopes.length > SCOPES.length ? [] : request.scopes.filter(isScope);
  if (scopes.length === 0 || scopes.length !== request.scopes.length)
    return refuse("scopes", `one or more of ${SCOPES.join(", ")}`);
  const { expiresInMs = null, expiresAt = null, requestsPerMinute = null, inFlight = null } = request;
  if (!isNullOrWithin(expiresInMs, MAX_EXPIRY_MS))
    return refuse("expires_in", "a time ahead, at most ten years");
  if (!isNullOrWithin(requestsPerMinute, MAX_LIMIT))
    return refuse("requests_per_minute", `a whole number from 1 to ${MAX_LIMIT}`);
  if (!isNullOrWithin(inFlight, MAX_LIMIT))
    return refuse("in_flight", `a whole number from 1 to ${MAX_LIMIT}`);
  return {
    outcome: "ok",
    key: {
      name: name.text,
      // In the order of the interface, each once.
      scopes: SCOPES.filter((scope) => scopes.includes(scope)),
      limits: { requestsPerMinute, inFlight },
      expiresInMs,
      expiresAt,
    },
  };
}

function isNullOrWithin(value: number | null, max: number): boolean {
  return value === null || (Number.isInteger(value) && value >= 1 && value <= max);
}
