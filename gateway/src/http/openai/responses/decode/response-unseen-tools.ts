import type { Tool } from "../../../../contract/index.ts";
import { isObject } from "../../../../kit/index.ts";
import type { JsonObject } from "../../json-fields.ts";
import type { UnseenSize } from "../../unseen/unseen-size.ts";
import { isAnybodys } from "./decode-tools.ts";

const FUNCTION: ReadonlySet<string> = new Set(["type", "description", "parameters", "strict", "name"]);
const CUSTOM: ReadonlySet<string> = new Set(["type", "description", "format", "name"]);
const NAMESPACE: ReadonlySet<string> = new Set(["type", "tools"]);
const DESCRIBED: ReadonlySet<string> = new Set([...NAMESPACE, "description"]);
const GRAMMAR: ReadonlySet<string> = new Set(["type", "definition"]);

/**
 * Adds the tools as they were sent. `offered` are those that the prompt shows, with their neutral form. The others are
 * of a kind that it does not know, left out by the caller's choice, or replaced by one of the same name.
 */
export function addUnseenTools(
  tools: unknown,
  offered: ReadonlyMap<unknown, Tool>,
  unseen: UnseenSize,
): void {
  if (!Array.isArray(tools)) {
    unseen.add(tools);
    return;
  }
  for (const tool of tools) {
    if (isObject(tool) && tool["type"] === "namespace") {
      unseen.addOthers(tool, isDescribed(tool, offered) ? DESCRIBED : NAMESPACE);
      addUnseenTools(tool["tools"], offered, unseen);
    } else addTool(tool, offered.get(tool), unseen);
  }
}

/** The description of a namespace is shown with the first of its tools that any provider can serve. */
function isDescribed({ tools }: JsonObject, offered: ReadonlyMap<unknown, Tool>): boolean {
  if (!Array.isArray(tools)) return false;
  return offered.has(tools.find((tool: unknown) => isObject(tool) && isAnybodys(tool["type"])));
}

function addTool(given: unknown, neutral: Tool | undefined, unseen: UnseenSize): void {
  if (neutral === undefined || !isObject(given)) {
    unseen.add(given);
    return;
  }
  const { type, name, format } = given;
  unseen.addOthers(given, type === "custom" ? CUSTOM : FUNCTION);
  // The neutral name is shortened, or has the namespace in front.
  if (name !== neutral.name) unseen.add(name);
  if (type !== "custom" || !isObject(format)) return;
  if (format["type"] === "grammar") unseen.addOthers(format, GRAMMAR);
  else unseen.add(format);
}
