import type { Model } from "./model.ts";

/**
 * A model that a plan's organizations may use. If `onlyFor` is set, the plan is not enough: only these organizations
 * may.
 */
export type Offer = { readonly model: Model; readonly onlyFor: ReadonlySet<string> | null };

/** What one plan can request. The first visible offer in an alias's list serves it. */
export type OfferTable = {
  readonly byModelId: ReadonlyMap<string, Offer>;
  readonly byAlias: ReadonlyMap<string, readonly Offer[]>;
};

export function buildOfferTable(input: {
  readonly models: ReadonlyMap<string, Model>;
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly plan: string | null;
}): OfferTable {
  const byModelId = new Map<string, Offer>();
  for (const model of input.models.values()) {
    const offer = offerTo(input.plan, model);
    if (offer) byModelId.set(model.id, offer);
  }
  const byAlias = new Map<string, readonly Offer[]>();
  for (const [alias, ids] of input.aliases) {
    const offers = servingIds(ids, input.models).flatMap((id) => byModelId.get(id) ?? []);
    if (offers.length > 0) byAlias.set(alias, Object.freeze(offers));
  }
  return Object.freeze({ byModelId, byAlias });
}

function offerTo(plan: string | null, model: Model): Offer | undefined {
  if (model.targets.length === 0) return undefined;
  const visibility = model.visibility;
  if (visibility === null || (plan !== null && visibility.plans.has(plan))) return { model, onlyFor: null };
  return visibility.organizations.size > 0 ? { model, onlyFor: visibility.organizations } : undefined;
}

/** True if at least somebody can call it: `visibility: {}` hides a model from everyone. */
export function canBeCalled({ targets, visibility }: Model): boolean {
  const isHidden = visibility !== null && visibility.plans.size + visibility.organizations.size === 0;
  return targets.length > 0 && !isHidden;
}

/**
 * Once a provider for any model of the list that is no test is configured, tests are left out, even for organizations
 * that cannot see that model: scripted answers must never pass for those of a paid model.
 */
export function servingIds(ids: readonly string[], models: ReadonlyMap<string, Model>): readonly string[] {
  const hasRealOne = ids.some((id) => {
    const model = models.get(id);
    return model !== undefined && model.targets.length > 0 && !model.isTest;
  });
  return hasRealOne ? ids.filter((id) => models.get(id)?.isTest !== true) : ids;
}
