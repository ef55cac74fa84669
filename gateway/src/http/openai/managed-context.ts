import { isObject } from "../../kit/index.ts";
import type { JsonObject } from "./json-fields.ts";

/**
 * Whether the client asks the server to drop or shorten messages: some may be gone before the model reads the prompt,
 * so no part of it may refer to another.
 */
export function isContextManaged(body: JsonObject): boolean {
  const {
    truncation,
    transforms,
    context_management: management,
    truncate_prompt_tokens: most,
    prompt_truncate_len: longest,
    input,
  } = body;
  if (truncation === "auto" || (management ?? most ?? longest ?? null) !== null) return true;
  if (Array.isArray(transforms) && transforms.length > 0) return true;
  return Array.isArray(input) && input.some(isCompaction);
}

/** The items before a compaction are no longer read. */
function isCompaction(item: unknown): boolean {
  return isObject(item) && typeof item["type"] === "string" && item["type"].includes("compaction");
}
