import type { Fields } from "./wire-fields.ts";

/**
 * Run by the client, or only information for the model. The provider runs all others, and no model's price covers that.
 */
const SERVED: ReadonlySet<unknown> = new Set([
  "function",
  "custom",
  "namespace",
  "tool_search",
  "local_shell",
  "apply_patch",
  "computer",
  "computer_use",
  "computer_use_preview",
  // A choice among them.
  "allowed_tools",
]);

/**
 * False for tools that the provider would run and bill. Agents list them unasked, so they are left out, not refused.
 */
export function isServedTool(tool: Fields | null | undefined): boolean {
  const type = tool?.["type"] ?? "function";
  // A shell is the client's own only if it says so; otherwise the provider rents out a machine.
  if (type === "shell") return (tool?.["environment"] as Fields | undefined)?.["type"] === "local";
  return SERVED.has(type);
}
