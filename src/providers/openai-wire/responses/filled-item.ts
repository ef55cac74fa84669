import { argumentsOf } from "../decode/decode-calls.ts";
import { type Fields, isFields, withField } from "../wire-fields.ts";
import { emptyPart, PART_LISTS } from "./part-events.ts";
import { wholeCall } from "./whole-call.ts";

type Status = "in_progress" | "completed" | "incomplete";

/** What items of a type always have, beside the parts of a list, and some servers leave out. */
const REQUIRED = new Map<unknown, (status: Status) => Fields>([
  ["message", (status) => ({ status, role: "assistant", content: [] })],
  ["function_call", (status) => ({ status, arguments: "" })],
  ["custom_tool_call", (status) => ({ status, input: "" })],
  ["reasoning", () => ({ summary: [] })],
]);
/** What some say null for that the wire leaves out. */
const NEVER_NULL = ["status", "content", "namespace"];

/**
 * An item with all that clients look for in it, many of which refuse the whole answer for one field; the very item where
 * it has that. `status` is what it gets where it says none.
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

/** One that has ended. */
export function wholeItem(item: unknown): unknown {
  return filledItem(wholeCall(item), "completed");
}

/** Those of a response. Of one that was cut off the last is left as it is, unless it says itself that it is whole. */
export function wholeItems(output: readonly unknown[], status: unknown): readonly unknown[] {
  return output.map((item, at) => {
    const isCut = status === "incomplete" && at === output.length - 1;
    const isLeft = isCut && (item as Fields | null)?.["status"] !== "completed";
    return isLeft ? filledItem(item, "incomplete") : wholeItem(item);
  });
}

/** The same of a part. */
export function filledPart(part: Fields): Fields {
  const { type } = part;
  return typeof type === "string" ? withDefaults(part, emptyPart(type)) : part;
}

/** A list of parts, or all of a message's text in one. */
function filledParts(given: unknown): unknown {
  if (typeof given === "string") return [{ ...emptyPart("output_text"), text: given }];
  if (!Array.isArray(given)) return given;
  const filled = given.map((part) => (isFields(part) ? filledPart(part) : part));
  return filled.some((part, at) => part !== given[at]) ? filled : given;
}

/** With these where it says nothing, or null. */
export function withDefaults(given: Fields, defaults: Fields): Fields {
  let filled = given;
  for (const name in defaults) {
    if ((given[name] ?? null) === null) filled = withField(filled, name, defaults[name]);
  }
  return filled;
}

/** An object that is still to be filled where its item only begins. */
function isBare(given: unknown): boolean {
  return isFields(given) && Object.keys(given).length === 0;
}
