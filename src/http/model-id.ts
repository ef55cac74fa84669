import { z } from "zod";

/** What the requests of all endpoints say of the model that they want. */

export const MAX_MODEL_CHARACTERS = 200;
export const MODEL_ACCEPTS = `must be the id or alias of a model, 1 to ${MAX_MODEL_CHARACTERS} characters`;

export function modelField(what: string) {
  return z
    .string({ error: MODEL_ACCEPTS })
    .min(1, { error: MODEL_ACCEPTS })
    .max(MAX_MODEL_CHARACTERS, { error: MODEL_ACCEPTS })
    .describe(what);
}
