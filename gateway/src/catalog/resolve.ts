import type { Organization } from "../identity/index.ts";
import type { Catalog } from "./catalog.ts";
import type { Model, ModelOfType, ModelType, PublishedModel } from "./model.ts";
import type { Offer, OfferTable } from "./offer-table.ts";

/** The fields that visibility depends on. */
export type Viewer = Pick<Organization, "id" | "slug" | "plan" | "disabledModels">;

type Asked = { readonly catalog: Catalog; readonly organization: Viewer; readonly id: string };

/** The model of this type that serves this id or alias, or null. */
export function resolveModel<T extends ModelType>(
  input: Asked & { readonly type: T },
): ModelOfType<T> | null {
  const model = resolveAnyModel(input);
  return model !== null && isOfType(model, input.type) ? model : null;
}

/**
 * The model that serves this id or alias, whatever its type, or null. Null is the only refusal: unknown, hidden,
 * disabled and not configured must look the same, or ids of hidden models could be guessed. Exact match only: no
 * trimming, no case folding, no provider prefixes.
 */
export function resolveAnyModel({ catalog, organization, id }: Asked): Model | null {
  const table = offersOf(catalog, organization);
  const offer = table.byModelId.get(id);
  if (offer === undefined) return firstVisible(table.byAlias.get(id), organization);
  return isVisible(offer, organization) ? offer.model : null;
}

export function isOfType<T extends ModelType>(model: Model, type: T): model is ModelOfType<T> {
  return model.type === type;
}

/** Exactly the models that `resolveModel` returns for this organization, in catalog order. */
export function visibleModels(input: {
  readonly catalog: Catalog;
  readonly organization: Viewer;
  readonly type?: ModelType;
}): readonly Model[] {
  const visible: Model[] = [];
  for (const offer of offersOf(input.catalog, input.organization).byModelId.values()) {
    if (input.type !== undefined && offer.model.type !== input.type) continue;
    if (isVisible(offer, input.organization)) visible.push(offer.model);
  }
  return visible;
}

/** Exactly the aliases that resolve for this organization, each with the model it currently stands for. */
export function visibleAliases(input: {
  readonly catalog: Catalog;
  readonly organization: Viewer;
}): ReadonlyMap<string, Model> {
  const serving = new Map<string, Model>();
  for (const [alias, offers] of offersOf(input.catalog, input.organization).byAlias) {
    const model = firstVisible(offers, input.organization);
    if (model) serving.set(alias, model);
  }
  return serving;
}

/** An entry of the models list: the published model, and the aliases that resolve to it for this organization. */
type ListedModel = PublishedModel & { readonly aliases: readonly string[] };

export function listModels(input: {
  readonly catalog: Catalog;
  readonly organization: Viewer;
  readonly type?: ModelType;
}): readonly ListedModel[] {
  const aliasesOf = Map.groupBy(visibleAliases(input), ([, model]) => model.id);
  return visibleModels(input).map((model) => ({
    ...model.published,
    aliases: (aliasesOf.get(model.id) ?? []).map(([alias]) => alias),
  }));
}

/** Ids and slugs of the organizations that the catalog names in a model's visibility. */
export function organizationsNamedBy({ models }: Catalog): ReadonlySet<string> {
  return new Set([...models.values()].flatMap((model) => [...(model.visibility?.organizations ?? [])]));
}

function offersOf(catalog: Catalog, organization: Viewer): OfferTable {
  return catalog.offersByPlan.get(organization.plan) ?? catalog.offersWithoutPlan;
}

function isVisible(offer: Offer, organization: Viewer): boolean {
  if (offer.onlyFor && !offer.onlyFor.has(organization.id) && !offer.onlyFor.has(organization.slug)) {
    return false;
  }
  return !organization.disabledModels.has(offer.model.id);
}

function firstVisible(offers: readonly Offer[] | undefined, organization: Viewer): Model | null {
  return offers?.find((offer) => isVisible(offer, organization))?.model ?? null;
}
