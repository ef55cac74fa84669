import {
  type Catalog,
  type ModelOfType,
  type ModelType,
  type Plan,
  planOf,
  resolveModel,
} from "../catalog/index.ts";
import type { Principal } from "../identity/index.ts";
import { AppError } from "../kit/index.ts";

/** Resolves an id or alias to a model of this type that the organization may use, and finds the call's plan. */
export function resolveServedModel<Type extends ModelType>(input: {
  readonly catalog: Catalog;
  readonly organization: Principal["organization"];
  readonly id: string;
  readonly type: Type;
  /** The path at which this interface lists its models. */
  readonly listedAt: string;
}): { readonly model: ModelOfType<Type>; readonly plan: Plan } {
  const { catalog, organization, id, type } = input;
  const model = resolveModel({ catalog, organization, id, type });
  if (model === null) throw modelNotAllowed(type, input.listedAt);
  return { model, plan: planOf(catalog.plans, organization.plan) };
}

const WITH_ARTICLE: Readonly<Record<ModelType, string>> = {
  text: "a text",
  image: "an image",
  video: "a video",
  audio: "an audio",
};

/** One answer for unknown, wrong type and hidden, so that ids of hidden models cannot be guessed. */
function modelNotAllowed(type: ModelType, listedAt: string): AppError {
  const message = `model: must be ${WITH_ARTICLE[type]} model that your organization may use; GET ${listedAt} lists them`;
  return new AppError("model_not_allowed", message, { field: "model" });
}
