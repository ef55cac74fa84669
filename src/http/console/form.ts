import { AppError } from "../../kit/index.ts";
import { createBodyReader } from "../body.ts";

/** The fields of a submitted form. One that was sent twice counts as not sent. */
export type Form = { field(name: string): string };

const MAX_FORM_BYTES = 16 * 1024;
const FORM_TYPE = "application/x-www-form-urlencoded";

const reader = createBodyReader({ bigBodyBytes: MAX_FORM_BYTES, bigBodiesAtOnce: 1, timeoutMs: 10_000 });

export async function readForm(request: Request): Promise<Form> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== FORM_TYPE) {
    throw new AppError("validation_error", `Forms are sent as ${FORM_TYPE}.`, { status: 415 });
  }
  const text = await reader.read(request, {
    limitBytes: MAX_FORM_BYTES,
    use: (bytes) => new TextDecoder().decode(bytes),
  });
  const fields = new URLSearchParams(text);
  return {
    field(name) {
      const values = fields.getAll(name);
      return values.length === 1 ? (values[0] ?? "") : "";
    },
  };
}
