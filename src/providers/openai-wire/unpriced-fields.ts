import { ProviderFailure } from "../contract.ts";
import type { EncodeTarget } from "./encode-target.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Refuses what no price covers where leaving it out would give another kind of answer than was asked for: one that
 * is not spoken, has not searched, or was seen by hosts that the client forbids. The rest is left out in silence.
 */
export function refuseUnpriced(body: Fields, { vendor, model }: EncodeTarget): void {
  const { plugins, tools } = body;
  refuseOtherModalities(body);
  if (vendor.searchModels?.test(model) !== true && wantsSearch(body)) {
    throw refused("web search", "this model's price does not cover it; leave it out, or search with a tool");
  }
  if (Array.isArray(plugins) && plugins.length > 0) {
    throw refused("plugins", "this model's price does not cover them; leave them out");
  }
  if (Array.isArray(tools)) for (const tool of tools) refuseHosted(tool);
  if (isPrivate(body["provider"])) {
    throw refused("provider", "where the answer is made cannot be chosen here");
  }
}

/** Sound and pictures have prices of their own. */
export function refuseOtherModalities({ modalities }: Fields): void {
  if (!Array.isArray(modalities) || modalities.every((kind) => kind === "text")) return;
  throw refused("modalities", "this model answers in text only");
}

const SERVED: ReadonlySet<unknown> = new Set(["function", "custom", undefined, null]);

/** A tool that the provider would run itself, at a price of its own. */
function refuseHosted(tool: unknown): void {
  const type = typeof tool === "object" && tool !== null ? (tool as Fields)["type"] : undefined;
  if (SERVED.has(type)) return;
  throw refused("tools", "only tools of type function and custom are taken; hosted tools have no price here");
}

function wantsSearch(body: Fields): boolean {
  const { web_search_options: options, search_parameters: parameters, enable_search: isEnabled } = body;
  if (typeof parameters === "object" && parameters !== null && (parameters as Fields)["mode"] !== "off") {
    return true;
  }
  return (typeof options === "object" && options !== null) || isEnabled === true;
}

/** A wish about who may see the prompt is not one to pass over in silence. */
function isPrivate(given: unknown): boolean {
  if (typeof given !== "object" || given === null) return false;
  const { data_collection: collection, zdr } = given as Fields;
  return collection === "deny" || zdr === true;
}

function refused(field: string, why: string): ProviderFailure {
  return new ProviderFailure("rejected", `${field}: ${why}.`);
}
