import { z } from "zod";

/** What the requests of all endpoints say of the model that they want. */

export const MODEL_ACCEPTS = "must be the id or alias of a model";

/** Of any length: a name that is too long for a model is one that no model has, and there is one answer for these. */
export function modelField(what: string) {
  return z.string({ error: MODEL_ACCEPTS }).min(1, { error: MODEL_ACCEPTS }).describe(what);
}
