import { argumentsOf, type Fields, isFields, withField } from "../../../wires/index.ts";
import { emptyPart, PART_LISTS } from "./part-events.ts";
import { wholeCall } from "./whole-call.ts";

type Status = "in_progress" | "completed" | "incomplete";

/** Fields that items of a type always have, and that some servers omit; parts in lists are handled separately. */
const REQUIRED = new Map<unknown, (status: Status) => Fields>([
  ["message", (status) => ({ status, role: "assistant", content: [] })],
  ["function_call", (status) => ({ status, arguments: "" })],
  ["custom_tool_call", (status) => ({ status, input: "" })],
  ["reasoning", () => ({ summary: [] })],
]);
/** Fields that some servers send as null, where the API omits them. */
const NEVER_NULL = ["status", "content", "namespace"];

/**
 * An item with every field that clients expect: many refuse the whole answer for a missing one. The same item if it is
 * complete; `status` is set if it has none.
 */
export function filledItem(given: unknown, status: Status): unknown {
  if (!isFields(given)) return given;
  const required = REQUIRED.get(given["type"]);
  if (required === undefined) return given;
  let item = withDefaults(given, required(status));
  for (const { list } of PART_LISTS) item = withField(item, list, filledParts(item[list]));
  for (const name of ["arguments", "input"]) {
    const said = item[name];
    if (said === undefined || typeof said === "string") continue;
    item = withField(item, name, status === "in_progress" && isBare(said) ? "" : argumentsOf(said));
  }
  for (const name of NEVER_NULL) if (item[name] === null) item = withField(item, name, undefined);
  return item;
}

/** For an item that has ended. */
export function wholeItem(item: unknown): unknown {
  return filledItem(wholeCall(item), "completed");
}

/** The items of a response. If it was cut off, its last item is incomplete, unless that says it is completed. */
export function wholeItems(output: readonly unknown[], status: unknown): readonly unknown[] {
  return output.map((item, at) => {
    const isCut = status === "incomplete" && at === output.length - 1;
    const isLeft = isCut && (item as Fields | null)?.["status"] !== "completed";
    return isLeft ? filledItem(item, "incomplete") : wholeItem(item);
  });
}

/** The same for a part. */
export function filledPart(part: Fields): Fields {
  const { type } = part;
  return typeof type === "string" ? withDefaults(part, emptyPart(type)) : part;
}

/** Accepts a list of parts, or a message's whole text as a string. */
function filledParts(given: unknown): unknown {
  if (typeof given === "string") return [{ ...emptyPart("output_text"), text: given }];
  if (!Array.isArray(given)) return given;
  const filled = given.map((part) => (isFields(part) ? filledPart(part) : part));
  return filled.some((part, at) => part !== given[at]) ? filled : given;
}

/** Sets the defaults for fields that are missing or null. */
export function withDefaults(given: Fields, defaults: Fields): Fields {
  let filled = given;
  for (const name in defaults) {
    if ((given[name] ?? null) === null) filled = withField(filled, name, defaults[name]);
  }
  return filled;
}

/** A placeholder for arguments, if the item is only beginning. */
function isBare(given: unknown): boolean {
  return isFields(given) && Object.keys(given).length === 0;
}
