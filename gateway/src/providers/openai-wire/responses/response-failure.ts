import type { ProviderFailure } from "../../../contract/index.ts";
import { fieldsOf } from "../../../wires/index.ts";
import { wireFailure } from "../wire-failure.ts";

/** Codes that blame the request; the Responses API has no other way to say so. */
const BLAMES_REQUEST =
  /^(?:invalid_(?!api_key)|image_|unsupported_|empty_image|failed_to_download_image|bio_policy|cyber_policy)/;

/** The failure that a failed response, or an error in its place, reports. */
export function responseFailure(error: unknown, secrets: readonly string[]): ProviderFailure {
  const { code } = fieldsOf(error);
  const isBlamed = typeof code === "string" && BLAMES_REQUEST.test(code);
  const told = isBlamed ? { ...(error as object), type: "invalid_request_error" } : error;
  return wireFailure(told ?? null, secrets);
}
