/**
 * Error codes by which clients of OpenAI's wire choose what to do. Of all codes of a provider only these are passed on,
 * for a rejected request: others could name what is ours, or contradict our status.
 */
const PASSED_CODES: ReadonlySet<string> = new Set([
  "array_above_max_length",
  "array_below_min_length",
  "bio_policy",
  "content_filter",
  "content_policy_violation",
  "cyber_policy",
  "data_inspection_failed",
  "decimal_above_max_value",
  "decimal_below_min_value",
  "empty_image_file",
  "failed_to_download_image",
  "image_content_policy_violation",
  "image_file_too_large",
  "image_parse_error",
  "image_too_large",
  "image_too_small",
  "integer_above_max_value",
  "integer_below_min_value",
  "invalid_base64",
  "invalid_base64_image",
  "invalid_function_parameters",
  "invalid_image",
  "invalid_image_format",
  "invalid_image_mode",
  "invalid_image_url",
  "invalid_json_schema",
  "invalid_prompt",
  "invalid_type",
  "invalid_value",
  "json_validate_failed",
  "missing_required_parameter",
  "moderation_blocked",
  "string_above_max_length",
  "string_below_min_length",
  "tool_use_failed",
  "unknown_parameter",
  "unsupported_image_media_type",
  "unsupported_parameter",
  "unsupported_value",
]);

/** The first of the provider's codes, the outermost first, that may be passed on. */
export function passedCodeOf(codes: ReadonlySet<string>): { readonly code?: string } {
  for (const code of codes) if (PASSED_CODES.has(code)) return { code };
  return {};
}
