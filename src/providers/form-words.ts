const ASK_FOR_JSON = "Answer with one JSON object and nothing else: no text around it, no code fence.";
const ASK_FOR_FORM =
  "Answer with JSON that fits the following JSON Schema and nothing else: no text around it, no code fence.";

/** A form of the answer in words, for who cannot be asked for it by a field; any JSON object where no schema is given. */
export function formWords(
  form: { readonly description?: string | undefined; readonly schema: unknown } | null,
): string {
  if (form === null) return ASK_FOR_JSON;
  return [ASK_FOR_FORM, form.description, JSON.stringify(form.schema)].filter(Boolean).join("\n\n");
}
