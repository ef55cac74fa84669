import { type Catalog, type Plan, planOf, resolveModel, type TextModel } from "../catalog/index.ts";
import type { Principal } from "../identity/index.ts";
import { AppError } from "../kit/index.ts";

/** The text model that serves an id or alias for this organization, and the plan that the call runs under. */
export function resolveTextModel(input: {
  readonly catalog: Catalog;
  readonly organization: Principal["organization"];
  readonly id: string;
  /** Where this interface lists what can be called. */
  readonly listedAt: string;
}): { readonly model: TextModel; readonly plan: Plan } {
  const { catalog, organization, id } = input;
  const model = resolveModel({ catalog, organization, id, type: "text" });
  if (model === null) throw modelNotAllowed(input.listedAt);
  return { model, plan: planOf(catalog.plans, organization.plan) };
}

/** One answer for unknown, of another type and hidden, so that ids of hidden models cannot be guessed. */
function modelNotAllowed(listedAt: string): AppError {
  const message = `model: must be a text model that your organization may use; GET ${listedAt} lists them`;
  return new AppError("model_not_allowed", message, { field: "model" });
}
