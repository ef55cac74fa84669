/**
 * Why a call failed, was cut or was refused: a closed list, for the request log, the receipt and the CSV. Unlike the
 * ten error codes, which callers handle, it says whose matter it is.
 */
export const FAILURE_REASONS = [
  // Of a call that was admitted.
  "provider_limit",
  "provider_error",
  "provider_refused_our_key",
  "timeout_connect",
  "timeout_first_byte",
  "provider_bad_reply",
  "provider_refused_request",
  "content_refused",
  "client_left",
  "cut_by_limit",
  "shutdown",
  "database",
  "internal",
  // Of a call that was refused before it held anything.
  "rate",
  "in_flight",
  "balance",
  "budget",
  "model",
  "scope",
  "key",
  "organization",
  "validation",
  "idempotency",
] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];
