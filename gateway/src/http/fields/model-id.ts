import { z } from "zod";

/** The request field that names the model, the same for all endpoints. */

export const MODEL_ACCEPTS = "must be the id or alias of a model";

/** No maximum length: a name too long for any model gets the same answer as every unknown model. */
export function modelField(what: string) {
  return z.string({ error: MODEL_ACCEPTS }).min(1, { error: MODEL_ACCEPTS }).describe(what);
}
