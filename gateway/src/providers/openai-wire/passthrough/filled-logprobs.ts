import { isObject } from "../../../kit/index.ts";

/** Log probabilities with every field that clients expect, if only as null; anything else stays as it is. */
export function filledLogprobs(given: unknown): unknown {
  if (!isObject(given)) return given ?? null;
  const { content, refusal } = given;
  return { ...given, content: filledTokens(content), refusal: filledTokens(refusal) };
}

function filledTokens(given: unknown): unknown {
  if (!Array.isArray(given)) return given ?? null;
  return given.map((token) => {
    if (!isObject(token)) return token;
    const { top_logprobs: top } = token;
    return {
      ...token,
      bytes: token["bytes"] ?? null,
      top_logprobs: Array.isArray(top) ? top.map(filledToken) : [],
    };
  });
}

function filledToken(token: unknown): unknown {
  return isObject(token) ? { ...token, bytes: token["bytes"] ?? null } : token;
}
