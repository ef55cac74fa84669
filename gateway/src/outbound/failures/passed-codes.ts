/**
 * Error codes by which clients of OpenAI's wire choose what to do. Of all codes of a provider only these are passed on,
 * for a rejected request: others could name what is ours, or contradict our status.
 */
const PASSED_CODES: ReadonlySet<string> = new Set([
  "bio_policy",
  "content_filter",
  "content_policy_violation",
  "cyber_policy",
  "data_inspection_failed",
  "image_content_policy_violation",
  "invalid_base64_image",
  "invalid_function_parameters",
  "invalid_image",
  "invalid_image_format",
  "invalid_image_url",
  "invalid_json_schema",
  "invalid_prompt",
  "invalid_type",
  "invalid_value",
  "json_validate_failed",
  "missing_required_parameter",
  "moderation_blocked",
  "string_above_max_length",
  "tool_use_failed",
  "unknown_parameter",
  "unsupported_parameter",
  "unsupported_value",
]);

/** The first of the provider's codes, the outermost first, that may be passed on. */
export function passedCodeOf(codes: ReadonlySet<string>): { readonly code?: string } {
  for (const code of codes) if (PASSED_CODES.has(code)) return { code };
  return {};
}
