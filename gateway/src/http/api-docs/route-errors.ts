import type { ErrorCode } from "../../kit/index.ts";
import type { ApiRoute } from "../route.ts";

/** An error reply that a route can give; the OpenAPI document lists all of them. */
type RouteError = { readonly status: number; readonly code: ErrorCode; readonly when: string };

const ALWAYS: readonly RouteError[] = [
  {
    status: 400,
    code: "validation_error",
    when: "a field, parameter or header has a value that is not accepted",
  },
  { status: 401, code: "unauthorized", when: "no key was sent, or more than one" },
  { status: 401, code: "invalid_key", when: "the key is malformed, revoked or expired" },
  { status: 401, code: "key_not_found", when: "the key is well formed but not known" },
  { status: 403, code: "org_inactive", when: "the key's organization is inactive" },
  { status: 403, code: "scope_denied", when: "the key lacks the scope; the message names it" },
  {
    status: 405,
    code: "validation_error",
    when: "the path does not support this method; `Allow` lists those it does",
  },
  { status: 429, code: "rate_limit_exceeded", when: "too many requests; wait for `Retry-After` seconds" },
  {
    status: 500,
    code: "internal_error",
    when: "an error in Bursar itself; quote the request id when you report it",
  },
  {
    status: 503,
    code: "internal_error",
    when: "overloaded, shutting down, or the database or file store cannot be reached; wait for `Retry-After` seconds",
  },
];

const WITH_BODY: readonly RouteError[] = [
  { status: 408, code: "validation_error", when: "the body took too long to arrive" },
  { status: 413, code: "validation_error", when: "the body is larger than the limit" },
  { status: 415, code: "validation_error", when: "the body is not uncompressed application/json" },
];

const WITH_SPENDING: readonly RouteError[] = [
  {
    status: 402,
    code: "insufficient_credits",
    when: "the message says how many credits are needed, available and held",
  },
  {
    status: 409,
    code: "validation_error",
    when: "the Idempotency-Key belongs to another request or to one that is still running",
  },
  { status: 502, code: "internal_error", when: "the provider failed; nothing was charged" },
  {
    status: 503,
    code: "internal_error",
    when: "the provider's limit is reached, or it keeps failing; nothing was charged, wait for `Retry-After` seconds",
  },
  {
    status: 503,
    code: "internal_error",
    when: "outcome unknown, if the message says so: the call may have been charged. The usage report shows the outcome, and a repeat with the same Idempotency-Key is never charged twice",
  },
  { status: 504, code: "internal_error", when: "the provider took too long; nothing was charged" },
];

export function errorsOf(route: ApiRoute): readonly RouteError[] {
  return [
    ...ALWAYS,
    ...(route.bodyLimitBytes === null ? [] : WITH_BODY),
    ...(route.spends ? WITH_SPENDING : []),
    ...modelErrors(route),
    ...objectErrors(route),
  ].sort((a, b) => a.status - b.status);
}

/** For routes that name one object of the organization. */
function objectErrors(route: ApiRoute): readonly RouteError[] {
  const names = route.docs.parameters?.some(({ name }) => name === "asset_id" || name === "request_id");
  const when = "there is no such object in your organization";
  return names ? [{ status: 404, code: "validation_error", when }] : [];
}

function modelErrors(route: ApiRoute): readonly RouteError[] {
  if (!route.spends && !route.path.includes(":model")) return [];
  const when =
    "the model is unknown or not visible to the organization, or of another type than the message says is needed";
  return [{ status: route.wire === "openai" ? 404 : 403, code: "model_not_allowed", when }];
}
