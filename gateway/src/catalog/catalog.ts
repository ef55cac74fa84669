import type { Model } from "./model.ts";
import type { OfferTable } from "./offer-table.ts";
import type { Pack, Plan } from "./plans.ts";

/** Everything that can be requested, frozen when the process starts. */
export type Catalog = {
  /** Every known model in catalog order, including those without a configured target. Resolve before use. */
  readonly models: ReadonlyMap<string, Model>;
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly plans: ReadonlyMap<string, Plan>;
  readonly packs: ReadonlyMap<string, Pack>;
  /** What each plan is offered, computed once, so that resolving is a lookup. */
  readonly offersByPlan: ReadonlyMap<string, OfferTable>;
  /** For organizations whose plan is no longer in the catalog. */
  readonly offersWithoutPlan: OfferTable;
};
