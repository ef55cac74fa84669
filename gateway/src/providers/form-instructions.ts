const ASK_FOR_JSON = "Answer with one JSON object and nothing else: no text around it, no code fence.";
const ASK_FOR_FORM =
  "Answer with JSON that fits the following JSON Schema and nothing else: no text around it, no code fence.";

/** Response format instructions as prompt text, for models that have no field for it. Null asks for any JSON object. */
export function formInstructions(
  form: { readonly description?: string | undefined; readonly schema: unknown } | null,
): string {
  if (form === null) return ASK_FOR_JSON;
  return [ASK_FOR_FORM, form.description, JSON.stringify(form.schema)].filter(Boolean).join("\n\n");
}
