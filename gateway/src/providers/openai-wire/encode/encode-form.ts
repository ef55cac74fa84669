import type { ChatRequest, ResponseFormat } from "../../../contract/index.ts";
import { formInstructions } from "../../form-instructions.ts";
import type { WireVendor } from "../vendor.ts";
import { acceptedSchema } from "./accepted-schema.ts";

type Form = Exclude<ResponseFormat, { type: "text" }>;

/** The requested format of the answer; null if any text will do. */
export function formOf({ responseFormat: format }: ChatRequest): Form | null {
  return format === undefined || format.type === "text" ? null : format;
}

/** Whether the format must be requested in the prompt, since the vendor would refuse the field beside tools. */
export function isFormInPrompt(request: ChatRequest, { formsAlone }: WireVendor): boolean {
  return formsAlone && formOf(request) !== null && (request.tools ?? []).length > 0;
}

/** Whether the vendor would refuse to stream an answer in the requested format. */
export function isFormInOnePiece(request: ChatRequest, vendor: WireVendor): boolean {
  return vendor.formsAlone && formOf(request) !== null && !isFormInPrompt(request, vendor);
}

/** Puts into the prompt whatever part of the format the vendor accepts in no field. */
export function withFormInPrompt(
  request: ChatRequest,
  messages: readonly unknown[],
  vendor: WireVendor,
): readonly unknown[] {
  const content = wordsFor(request, vendor);
  return content === null ? messages : [{ role: "system", content }, ...messages];
}

function wordsFor(request: ChatRequest, vendor: WireVendor): string | null {
  const form = formOf(request);
  if (form === null) return null;
  const isInPrompt = isFormInPrompt(request, vendor);
  if (form.type === "json") return isInPrompt ? formInstructions(null) : null;
  if (vendor.jsonSchema && !isInPrompt) return null;
  return formInstructions({
    description: form.description,
    schema: acceptedSchema(form.schema, vendor),
  });
}

export function encodeForm(form: Form, vendor: WireVendor): unknown {
  if (form.type === "json" || !vendor.jsonSchema) return { type: "json_object" };
  const { name, description, schema, strict } = form;
  return {
    type: "json_schema",
    json_schema: {
      name,
      ...(description === undefined ? {} : { description }),
      schema: acceptedSchema(schema, vendor),
      ...(strict === undefined ? {} : { strict }),
    },
  };
}
