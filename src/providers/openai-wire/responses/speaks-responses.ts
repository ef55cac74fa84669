import type { WireRequest } from "../../contract.ts";
import type { WireVendor } from "../vendor.ts";
import type { Fields } from "../wire-fields.ts";
import { isServedTool } from "./response-tools.ts";

/** What a server that knows only functions can be told of earlier turns; the rest needs another wire's words. */
const PLAIN_ITEMS: ReadonlySet<unknown> = new Set([
  undefined,
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "item_reference",
]);

/** Whether a request of this wire can go on as it is: agents send tools that only few servers know. */
export function speaksResponses({ body }: WireRequest, vendor: WireVendor): boolean {
  if (!vendor.speaksResponses) return false;
  if (vendor.responsesTools === "any") return true;
  const { tools, input } = body;
  const isPlainTool = (tool: Fields) => tool?.["type"] === "function" || !isServedTool(tool);
  const isPlainItem = (item: Fields) => PLAIN_ITEMS.has(item?.["type"]);
  return (
    (!Array.isArray(tools) || tools.every(isPlainTool)) && (!Array.isArray(input) || input.every(isPlainItem))
  );
}
