import type { Fields } from "../../../wires/index.ts";
import { isOwnName } from "./item-places.ts";
import { withEncrypted } from "./marked-reasoning.ts";
import { withServedTools } from "./response-tools.ts";

/**
 * Nothing is stored anywhere, so items that only refer to something stored are left out: references, images by id, and
 * reasoning without its encrypted content, which a server would look up in vain. `ownText` returns that content as the
 * server made it, or null for another provider's reasoning, which is left out, too. Items that bring tools lose the
 * hosted ones.
 */
export function repairedInput(given: unknown, ownText: (text: string) => string | null): unknown {
  if (!Array.isArray(given)) return given;
  const input = given.map((item) => withServersName(withEncrypted(item, ownText) as Fields | null));
  if (!input.some(needsRepair)) return input.some((item, at) => item !== given[at]) ? input : given;
  const hasLostReasoning = input.some((item) => item?.["type"] === "reasoning" && isStale(item));
  const kept = input.filter((item): item is Fields => !isStale(item)).map(withServedTools);
  return hasLostReasoning ? kept.map(withoutId) : kept;
}

/** Under an id that we generated, the server would not recognize its own reasoning. */
function withServersName(item: Fields | null): Fields | null {
  if (item?.["type"] !== "reasoning" || !isOwnName(item["id"])) return item;
  const { id: _id, ...rest } = item;
  return rest;
}

function needsRepair(item: Fields | null): boolean {
  return isStale(item) || Array.isArray(item?.["tools"]);
}

function isStale(item: Fields | null): boolean {
  if (isReference(item) || isLostPicture(item)) return true;
  return item?.["type"] === "reasoning" && !item["encrypted_content"];
}

/**
 * By its type or, as the API allows, by a bare id: a server looks it up among everything that its callers have stored.
 */
function isReference(item: Fields | null): boolean {
  const { type = null, role } = item ?? {};
  return type === "item_reference" || (type === null && role === undefined);
}

/** An image that was made elsewhere and has only an id: it is looked up in the same way. */
function isLostPicture(item: Fields | null): boolean {
  return item?.["type"] === "image_generation_call" && !item["result"];
}

/** Output of the model. A server that sees its id requires the reasoning that led to it. */
const SAID: ReadonlySet<unknown> = new Set([
  "message",
  "function_call",
  "custom_tool_call",
  "tool_search_call",
]);

function withoutId(item: Fields): Fields {
  if (!SAID.has(item["type"]) || item["id"] === undefined) return item;
  const { id: _id, ...rest } = item;
  return rest;
}
