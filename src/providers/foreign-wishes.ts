import { isObject, looksEncrypted } from "../kit/index.ts";
import { type ChatRequest, ProviderFailure } from "./contract.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Refuses what only a server of this very wire understands and without which the answer would be another than was asked
 * for. For everybody who is told in other words.
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

/** The same of what both wires of the caller's service have. */
export function refuseForeignService({ wire }: ChatRequest): void {
  if (wire === undefined) return;
  refuseBlocking(wire.body);
  if (wire.kind === "responses") refuseUnreadable(wire.body);
}

/** Results that nobody gives are missed by nobody; what was to be kept from somebody must not reach them. */
export function refuseBlocking({ moderation }: Fields): void {
  const policy = isObject(moderation) ? moderation["policy"] : null;
  if (!isObject(policy)) return;
  if (!Object.values(policy).some((each) => isObject(each) && each["mode"] === "block")) return;
  throw untold("moderation", "this model's provider cannot block anything with it; leave out the mode block");
}

/**
 * A compaction is all that was said before it, and whoever cannot read it would answer to the rest as if that were the
 * conversation; so is what an agent was told to do, where that is encrypted. A trigger asks for a compaction.
 */
export function refuseUnreadable({ input }: Fields): void {
  if (!Array.isArray(input)) return;
  for (const item of input) {
    if (!isObject(item)) continue;
    if (String(item["type"]).includes("compaction"))
      throw untold("input", "this model's provider neither reads nor writes a compaction; leave it out");
    if (item["type"] === "agent_message" && isEncrypted(item["content"]))
      throw untold("input", "this model's provider cannot read an encrypted agent_message; leave it out");
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

/** Of a field that a target cannot be told of; another may. */
export function untold(field: string, why: string): ProviderFailure {
  return new ProviderFailure("rejected", `${field}: ${why}.`, { field });
}
