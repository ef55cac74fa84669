import type { z } from "zod";
import { AppError } from "../../kit/index.ts";

/** Deep enough for any of our fields; a longer path would only repeat what the client sent. */
const MAX_PATH_PARTS = 8;

/**
 * Returns the value as the schema describes it, or throws a refusal that names the first invalid field and what it
 * accepts. Messages come from the schemas, which never quote a value.
 */
export function checkFields<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue ? fieldName(issue.path) : "body";
  const accepts = issue?.message ?? "must be a JSON object";
  throw new AppError("validation_error", `${field}: ${accepts}`, { field });
}

/** `messages[3].content`; `body` if the path is empty. */
function fieldName(path: readonly PropertyKey[]): string {
  let name = "";
  for (const part of path.slice(0, MAX_PATH_PARTS)) {
    if (typeof part === "number") name += `[${part}]`;
    else name += name === "" ? String(part) : `.${String(part)}`;
  }
  return name === "" ? "body" : name;
}
