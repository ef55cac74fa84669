import type { ApiRoute, Wire } from "../route.ts";

type Json = Readonly<Record<string, unknown>>;

const text = { type: "string" };
const whole = { type: "integer" };

/** Every API response header beyond the standard ones, declared once for all routes. */
export const HEADERS = {
  "x-request-id": { description: "Id of this request.", schema: { type: "string", format: "uuid" } },
  "x-client-request-id": { description: "The request's own `X-Client-Request-Id`.", schema: text },
  "x-api-version": { description: "Version of the interface.", schema: text },
  "RateLimit-Limit": { description: "Requests per minute.", schema: whole },
  "RateLimit-Remaining": { description: "Requests left in this minute.", schema: whole },
  "RateLimit-Reset": { description: "Seconds until the minute ends.", schema: whole },
  "x-ratelimit-limit-requests": { description: "Requests per minute.", schema: whole },
  "x-ratelimit-remaining-requests": { description: "Requests left in this minute.", schema: whole },
  "x-ratelimit-reset-requests": { description: "Time until the minute ends, such as `42s`.", schema: text },
  "x-credits-charged": { description: "Credits that the call cost; not on streams.", schema: whole },
  "x-credits-balance": { description: "Credits left, both pools together; not on streams.", schema: whole },
  "x-max-tokens-granted": {
    description: "The output limit in place of the one that was asked for and could not be paid for.",
    schema: whole,
  },
  "x-credits-missing": { description: "How many credits are missing for this call.", schema: whole },
  "Idempotent-Replayed": { description: "`true` on a repeat of an earlier call.", schema: text },
  "Retry-After": { description: "Seconds to wait before retrying.", schema: whole },
  "x-should-retry": { description: "`false` if an immediate retry would not help.", schema: text },
  "WWW-Authenticate": { description: "The scheme of authentication: `Bearer`.", schema: text },
  Allow: { description: "The methods that the path supports.", schema: text },
} as const satisfies Json;

type HeaderName = keyof typeof HEADERS;

const ALWAYS: readonly HeaderName[] = ["x-request-id", "x-client-request-id", "x-api-version"];

/** Each wire has its own names for the rate-limit headers. */
const RATE: Readonly<Record<Wire, readonly HeaderName[]>> = {
  native: ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"],
  openai: ["x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"],
};

/** Only the compatible interface also reports the cost in headers. */
const COST: readonly HeaderName[] = ["x-credits-charged", "x-credits-balance"];

export function successHeaders({ spends, wire, scope, docs: { isPoll } }: ApiRoute): Json {
  if (!spends) return references([...ALWAYS, ...RATE[wire], ...(isPoll ? (["Retry-After"] as const) : [])]);
  return references([
    ...ALWAYS,
    ...RATE[wire],
    ...(wire === "openai" ? COST : []),
    ...(wire === "openai" && scope === "chat" ? (["x-max-tokens-granted"] as const) : []),
    "Idempotent-Replayed",
  ]);
}

export function errorHeaders({ spends, wire }: ApiRoute, status: number): Json {
  const isOf = (...statuses: readonly number[]) => statuses.includes(status);
  return references([
    ...ALWAYS,
    ...(isOf(409, 429, 503) ? (["Retry-After"] as const) : []),
    ...(isOf(400, 429, ...(spends ? [402, 409, 500, 502, 503, 504] : [404])) ? RATE[wire] : []),
    ...(wire === "openai" && spends && isOf(409, 502, 503, 504) ? (["x-should-retry"] as const) : []),
    ...(isOf(401) ? (["WWW-Authenticate"] as const) : []),
    ...(isOf(402) ? (["x-credits-missing"] as const) : []),
    ...(isOf(405) ? (["Allow"] as const) : []),
  ]);
}

function references(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
