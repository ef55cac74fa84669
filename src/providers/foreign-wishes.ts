import { type ChatRequest, ProviderFailure } from "./contract.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Refuses what only a server of the caller's own wire understands and without which the answer would be another than was
 * asked for. For everybody who is told in other words.
 */
export function refuseForeignWishes({ wire, responseFormat }: ChatRequest): void {
  if (wire?.kind !== "chat_completions") return;
  if (responseFormat === undefined && (wire.body["response_format"] ?? null) !== null) {
    throw refused("response_format", "this model takes the types text, json_object and json_schema");
  }
  refuseBias(wire.body);
}

/** Names tokens of one tokenizer, often to forbid them: elsewhere they are others, or there is no such field. */
export function refuseBias({ logit_bias: bias }: Fields): void {
  if (typeof bias !== "object" || bias === null || Object.keys(bias).length === 0) return;
  throw refused("logit_bias", "this model does not take it; leave it out");
}

function refused(field: string, why: string): ProviderFailure {
  return new ProviderFailure("rejected", `${field}: ${why}.`);
}
