/** `compact` and the like are other endpoints, not the name of a response. */
const STORED_RESPONSE = /^\/v1\/responses\/(?!compact$|input_tokens$)[^/]/;

/** What to say of a path that other services of this wire have; null where there is nothing to explain. */
export function explainMissingPath(path: string): string | null {
  if (!STORED_RESPONSE.test(path)) return null;
  return "Responses are not kept, so none can be fetched, listed or cancelled here: send the whole input with each call.";
}
