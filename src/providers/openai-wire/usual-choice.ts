import { isObject } from "../../kit/index.ts";

/** A choice among tools: some servers, and their clients, say `any` for `required`. The same one where nobody does. */
export function inUsualWords(choice: unknown): unknown {
  if (choice === "any") return "required";
  if (!isObject(choice)) return choice;
  const { mode, allowed_tools: allowed } = choice;
  if (mode === "any") return { ...choice, mode: "required" };
  return isObject(allowed) && allowed["mode"] === "any"
    ? { ...choice, allowed_tools: { ...allowed, mode: "required" } }
    : choice;
}
