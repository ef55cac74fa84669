import {
  type Catalog,
  isOfType,
  type Model,
  type ModelOfType,
  type ModelType,
  type Plan,
  planOf,
  resolveAnyModel,
} from "../catalog/index.ts";
import type { Principal } from "../identity/index.ts";
import { AppError, echoed } from "../kit/index.ts";

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
  const model = resolveAnyModel({ catalog, organization, id });
  if (model === null) throw unknownModel(id, input.listedAt);
  if (!isOfType(model, type)) throw modelOfOtherType(model, input);
  return { model, plan: planOf(catalog.plans, organization.plan) };
}

const WITH_ARTICLE: Readonly<Record<ModelType, string>> = {
  text: "a text",
  image: "an image",
  video: "a video",
  audio: "an audio",
};

/** One answer for unknown and hidden, so that ids of hidden models cannot be guessed. */
export function unknownModel(id: string, listedAt: string): AppError {
  return notAllowed(`${echoed(id)} is no model that your organization may use; GET ${listedAt} lists them`);
}

function modelOfOtherType(
  { type: its }: Model,
  { id, type, listedAt }: { readonly id: string; readonly type: ModelType; readonly listedAt: string },
): AppError {
  const [found, needed] = [WITH_ARTICLE[its], WITH_ARTICLE[type]];
  return notAllowed(
    `${echoed(id)} is ${found} model, and this endpoint needs ${needed} model; GET ${listedAt} lists them`,
  );
}

function notAllowed(why: string): AppError {
  return new AppError("model_not_allowed", `model: ${why}`, { field: "model" });
}
