import { DAY_MS } from "../../kit/index.ts";
import { parseDisplayText } from "../display-text.ts";
import type { KeyLimits } from "../principal.ts";
import { type Invalid, refuse } from "../refusal.ts";
import type { Actor } from "../role.ts";
import { isScope, SCOPES, type Scope } from "../scopes.ts";

export type MintRequest = {
  organizationId: string;
  name: string;
  /** Not validated yet; each must be one of SCOPES. */
  scopes: readonly string[];
  /** Lifetime by the database's clock; null if the key does not expire. */
  expiresInMs?: number | null;
  /** Exact moment of expiry; if both are given, the earlier one counts. */
  expiresAt?: Date | null;
  /** The key's own limits, which apply in addition to the plan's; null or absent if only the plan's apply. */
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

/** Name of the key for the console's own calls; no other key may have it. */
export const INTERNAL_NAME = "Console";
const MAX_NAME_CHARS = 100;
export const MAX_EXPIRY_MS = 3_660 * DAY_MS;
const MAX_LIMIT = 1_000_000;

export function parseMintRequest(request: MintRequest): { outcome: "ok"; key: ParsedKey } | Invalid {
  const name = parseDisplayText({ field: "name", text: request.name, maxChars: MAX_NAME_CHARS });
  if (name.outcome === "invalid") return name;
  if (name.text.toLowerCase() === INTERNAL_NAME.toLowerCase())
    return refuse("name", `another name than ${INTERNAL_NAME}, which is the console's own key`);
  // A list longer than SCOPES must contain duplicates or unknown words, and is not worth scanning.
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
      // In the order of SCOPES, each once.
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
