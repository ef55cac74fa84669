/** What the requests of all endpoints say of the model that they want. */

export const MAX_MODEL_CHARACTERS = 200;
export const MODEL_ACCEPTS = `must be the id or alias of a model, 1 to ${MAX_MODEL_CHARACTERS} characters`;
