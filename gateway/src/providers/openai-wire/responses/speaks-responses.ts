import type { WireRequest } from "../../../contract/index.ts";
import { type Fields, isServedTool } from "../../../wires/index.ts";
import type { WireVendor } from "../vendor.ts";

/** Items that a server which knows only functions understands; a request with others becomes a chat completion. */
const PLAIN_ITEMS: ReadonlySet<unknown> = new Set([
  undefined,
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "item_reference",
]);

/** Whether a Responses request can be passed on: agents send tools that only few servers know. */
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
