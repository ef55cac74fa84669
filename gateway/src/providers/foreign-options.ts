import { type ChatRequest, ProviderFailure } from "../contract/index.ts";
import { isObject, looksEncrypted } from "../kit/index.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Refuses fields that only servers of the caller's wire support and without which the answer would not be what was
 * asked for. For every provider that the request is translated for.
 */
export function refuseForeignOptions(request: ChatRequest): void {
  refuseForeignFormat(request);
  if (request.wire?.kind === "chat_completions") refuseBias(request.wire.body);
}

export function refuseForeignFormat({ wire, responseFormat }: ChatRequest): void {
  if (wire?.kind !== "chat_completions") return;
  if (responseFormat === undefined && (wire.body["response_format"] ?? null) !== null) {
    throw unsupported("response_format", "this model takes the types text, json_object and json_schema");
  }
}

/** It names tokens of one tokenizer, often to forbid them. Other models have other tokens, or no such field. */
export function refuseBias({ logit_bias: bias }: Fields): void {
  if (typeof bias !== "object" || bias === null) return;
  // A weight of 0 changes nothing.
  if (Object.values(bias).every((weight) => weight === 0)) return;
  throw unsupported("logit_bias", "this model does not take it; leave it out");
}

/** Likewise for fields that both of the caller's wires share. */
export function refuseForeignService({ wire }: ChatRequest): void {
  if (wire === undefined) return;
  refuseBlocking(wire.body);
  if (wire.kind === "responses") refuseUnreadable(wire.body);
}

/** Missing moderation results harm nobody; content that was to be blocked must not get through. */
export function refuseBlocking({ moderation }: Fields): void {
  const policy = isObject(moderation) ? moderation["policy"] : null;
  if (!isObject(policy)) return;
  if (!Object.values(policy).some((each) => isObject(each) && each["mode"] === "block")) return;
  throw unsupported(
    "moderation",
    "this model's provider cannot block anything with it; leave out the mode block",
  );
}

/**
 * A compaction stands for everything said before it, so a provider that cannot read it would take the rest for the
 * whole conversation. The same goes for an agent's encrypted instructions. A trigger asks for a compaction.
 */
export function refuseUnreadable({ input }: Fields): void {
  if (!Array.isArray(input)) return;
  for (const item of input) {
    if (!isObject(item)) continue;
    if (String(item["type"]).includes("compaction"))
      throw unsupported("input", "this model's provider neither reads nor writes a compaction; leave it out");
    if (item["type"] === "agent_message" && isEncrypted(item["content"]))
      throw unsupported(
        "input",
        "this model's provider cannot read an encrypted agent_message; leave it out",
      );
  }
}

function isEncrypted(content: unknown): boolean {
  if (!Array.isArray(content)) return false;
  return content.some(
    (part) =>
      isObject(part) &&
      part["type"] === "encrypted_content" &&
      looksEncrypted(String(part["encrypted_content"])),
  );
}

/** A field that this target does not support; another may. */
export function unsupported(field: string, why: string): ProviderFailure {
  return new ProviderFailure("rejected", `${field}: ${why}.`, { field });
}
