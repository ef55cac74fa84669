import { isObject, parseForeignJson } from "../../../kit/index.ts";
import type { WireVendor } from "../vendor.ts";

/**
 * The arguments of an earlier call. A model that ran into its limit, or forgot a quote, leaves a text that many servers
 * cannot parse; sent as it is, it would end the conversation for good.
 */
export function encodeArguments(text: string, { parsesArguments }: WireVendor): string {
  if (text === "") return "{}";
  return !parsesArguments || isJsonObject(text) ? text : JSON.stringify({ input: text });
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(parseForeignJson(text));
  } catch {
    return false;
  }
}
