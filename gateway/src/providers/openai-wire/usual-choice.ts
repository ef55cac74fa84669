import { isObject } from "../../kit/index.ts";

/** Some servers and their clients say `any` for `required`. Returns the same value if nothing changes. */
export function usualChoice(choice: unknown): unknown {
  if (choice === "any") return "required";
  if (!isObject(choice)) return choice;
  const { mode, allowed_tools: allowed } = choice;
  if (mode === "any") return { ...choice, mode: "required" };
  return isObject(allowed) && allowed["mode"] === "any"
    ? { ...choice, allowed_tools: { ...allowed, mode: "required" } }
    : choice;
}
