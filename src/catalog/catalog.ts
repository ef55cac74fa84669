import type { Model } from "./model.ts";
import type { OfferTable } from "./offer-table.ts";
import type { Pack, Plan } from "./plans.ts";

/** Everything that can be asked for, frozen at the start of the process. */
export type Catalog = {
  /** Every known model in catalog order, those without a configured target included. Resolve before use. */
  readonly models: ReadonlyMap<string, Model>;
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly plans: ReadonlyMap<string, Plan>;
  readonly packs: ReadonlyMap<string, Pack>;
  /** What each plan is offered, worked out once: resolving is a look-up. */
  readonly offersByPlan: ReadonlyMap<string, OfferTable>;
  /** For organizations whose plan the catalog no longer has. */
  readonly offersWithoutPlan: OfferTable;
};
