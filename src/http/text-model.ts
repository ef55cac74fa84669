import type { Catalog, Plan, TextModel } from "../catalog/index.ts";
import type { Principal } from "../identity/index.ts";
import { resolveServedModel } from "./served-model.ts";

/** The text model that serves an id or alias for this organization, and the plan that the call runs under. */
export function resolveTextModel(input: {
  readonly catalog: Catalog;
  readonly organization: Principal["organization"];
  readonly id: string;
  /** Where this interface lists what can be called. */
  readonly listedAt: string;
}): { readonly model: TextModel; readonly plan: Plan } {
  const { catalog, organization, id, listedAt } = input;
  return resolveServedModel({ catalog, organization, id, type: "text", listedAt });
}
