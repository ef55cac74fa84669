import { isObject } from "../../../kit/index.ts";

type Logprob = { readonly token: unknown; readonly logprob: unknown; readonly bytes: unknown };

/** Converts log probabilities from the chat completions format, where `bytes` may be null. */
export function encodeLogprobs(given: readonly unknown[]): readonly unknown[] {
  return given.filter(isObject).map((entry) => {
    const top = Array.isArray(entry["top_logprobs"]) ? entry["top_logprobs"] : [];
    return { ...encodeLogprob(entry), top_logprobs: top.filter(isObject).map(encodeLogprob) };
  });
}

function encodeLogprob({ token, logprob, bytes }: Readonly<Record<string, unknown>>): Logprob {
  return { token, logprob, bytes: bytes ?? [] };
}
