import type { Database } from "../../db/index.ts";
import { newId, parseUuid } from "../../kit/index.ts";
import { parseDisplayText } from "../display-text.ts";
import { type Invalid, refuse } from "../refusal.ts";
import { type Actor, mayAdminister, OPERATOR, type Standing } from "../role.ts";
import { insertUnderFreeSlug } from "./free-slug.ts";
import { inOrganization } from "./in-organization.ts";
import { MAX_NAME_CHARS, MAX_PLAN_CHARS, parseChange } from "./organization-change.ts";
import {
  type ChangedSettings,
  type ChangeSettings,
  changeSettings,
  type SwitchModel,
  switchModel,
  type UpdatedOrganization,
} from "./settings.ts";
import { isSlug } from "./slug.ts";
import {
  insertOrganization,
  loadOrganization,
  loadOrganizations,
  lockStanding,
  type OrganizationChange,
  type OrganizationRecord,
  saveOrganization,
} from "./store.ts";

type CreateOrganization = {
  name: string;
  plan: string;
  /** Set only if it must be exactly this one; otherwise derived from the name. */
  slug?: string;
};

type UpdateOrganization = OrganizationChange & { organizationId: string; actor: Actor };

/** Organizations are deactivated, never deleted. Whether a plan exists is for the catalog to say. */
export type Organizations = {
  create(
    input: CreateOrganization,
  ): Promise<{ outcome: "ok"; organization: OrganizationRecord } | { outcome: "slug_taken" } | Invalid>;
  find(idOrSlug: string): Promise<OrganizationRecord | undefined>;
  /** In a transaction: until it ends, nobody else changes the organization, its people or its keys. */
  lock(id: string): Promise<void>;
  /** In order of slug, one page at a time. */
  list(page?: { afterSlug?: string; limit?: number }): Promise<OrganizationRecord[]>;
  /**
   * Owners and admins change name, efficiency and models; only an owner may deactivate the organization. The operator
   * may do all of this; nobody else changes the plan or reactivates.
   */
  update(input: UpdateOrganization): Promise<UpdatedOrganization>;
  /** Changes name and efficiency, unless they differ from what the caller saw: then a conflict is returned. */
  changeSettings(input: ChangeSettings): Promise<ChangedSettings>;
  /** Switches one model on or off; concurrent changes by two people do not undo each other. */
  switchModel(input: SwitchModel): Promise<UpdatedOrganization>;
};

const MAX_PAGE = 1_000;

export function createOrganizations({ db }: { db: Database }): Organizations {
  return {
    async create(input) {
      const name = parseDisplayText({ field: "name", text: input.name, maxChars: MAX_NAME_CHARS });
      if (name.outcome === "invalid") return name;
      const plan = parseDisplayText({ field: "plan", text: input.plan, maxChars: MAX_PLAN_CHARS });
      if (plan.outcome === "invalid") return plan;
      if (input.slug === undefined) {
        const organization = await insertUnderFreeSlug(db.pool, { name: name.text, plan: plan.text });
        return { outcome: "ok", organization };
      }
      if (!isSlug(input.slug)) return refuse("slug", "up to 48 of a-z, 0-9 and single hyphens, not a UUID");
      const exact = { id: newId(), name: name.text, plan: plan.text, slug: input.slug };
      const organization = await insertOrganization(db.pool, exact);
      return organization ? { outcome: "ok", organization } : { outcome: "slug_taken" };
    },
    async find(idOrSlug) {
      const id = parseUuid(idOrSlug);
      if (id !== undefined) return loadOrganization(db.pool, { id });
      return isSlug(idOrSlug) ? loadOrganization(db.pool, { slug: idOrSlug }) : undefined;
    },
    lock: async (id) => void (await lockStanding(db.pool, id, OPERATOR)),
    list: ({ afterSlug = "", limit = MAX_PAGE } = {}) =>
      loadOrganizations(db.pool, { afterSlug, limit: Math.min(limit, MAX_PAGE) }),
    async update({ organizationId, actor, ...change }) {
      const checked = parseChange(change);
      if (checked.outcome === "invalid") return checked;
      return inOrganization<UpdatedOrganization>({ db, organizationId, actor }, async (client, standing) => {
        if (!mayUpdate(standing, change)) return { outcome: "forbidden" };
        const organization = await saveOrganization(client, organizationId, checked.change);
        return organization ? { outcome: "ok", organization } : { outcome: "not_found" };
      });
    },
    changeSettings: (input) => changeSettings(db, input),
    switchModel: (input) => switchModel(db, input),
  };
}

/** Nobody may upgrade the plan of their own organization or lift its suspension. */
function mayUpdate(standing: Standing, change: OrganizationChange): boolean {
  if (standing === "operator") return true;
  if (change.plan !== undefined || change.active === true) return false;
  return change.active === false ? standing === "owner" : mayAdminister(standing);
}
