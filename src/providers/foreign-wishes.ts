import { type ChatRequest, ProviderFailure } from "./contract.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Refuses what only a server of the caller's own wire understands and without which the answer would be another than was
 * asked for. For everybody who is told in other words.
 */
export function refuseForeignWishes(request: ChatRequest): void {
  refuseForeignFormat(request);
  if (request.wire?.kind === "chat_completions") refuseBias(request.wire.body);
}

export function refuseForeignFormat({ wire, responseFormat }: ChatRequest): void {
  if (wire?.kind !== "chat_completions") return;
  if (responseFormat === undefined && (wire.body["response_format"] ?? null) !== null) {
    throw untold("response_format", "this model takes the types text, json_object and json_schema");
  }
}

/** Names tokens of one tokenizer, often to forbid them: elsewhere they are others, or there is no such field. */
export function refuseBias({ logit_bias: bias }: Fields): void {
  if (typeof bias !== "object" || bias === null) return;
  // A token with 0 is as likely as without it.
  if (Object.values(bias).every((weight) => weight === 0)) return;
  throw untold("logit_bias", "this model does not take it; leave it out");
}

/** Of a field that a target cannot be told of; another may. */
export function untold(field: string, why: string): ProviderFailure {
  return new ProviderFailure("rejected", `${field}: ${why}.`, { field });
}
