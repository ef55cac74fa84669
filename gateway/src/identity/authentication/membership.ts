import type pg from "pg";
import { parseUuid } from "../../kit/index.ts";
import { databaseUnreachable } from "./database-unreachable.ts";
import type { Freshness } from "./freshness.ts";
import type { OrganizationCache } from "./organization-cache.ts";
import { loadMembership } from "./store.ts";

export type Membership = {
  /**
   * Whether a user belongs to an organization, under the same rule of trust as keys. Only a yes is remembered, so a
   * person who was just added is never refused. Text that is not a UUID causes no query.
   */
  isMember(organizationId: string, userId: string): boolean | Promise<boolean>;
};

export function createMembership(deps: {
  pool: pg.Pool;
  cache: OrganizationCache<true>;
  freshness: Freshness;
}): Membership {
  const { pool, cache, freshness } = deps;

  async function ask(membership: { organizationId: string; userId: string }, key: string): Promise<boolean> {
    const loaded = await loadMembership(pool, membership).catch((error) => {
      throw databaseUnreachable(error);
    });
    if (loaded.isMember && loaded.version >= freshness.version) {
      cache.set({ organizationId: membership.organizationId, key, value: true });
    }
    return loaded.isMember;
  }

  return {
    isMember(organizationId, userIdText) {
      const userId = parseUuid(userIdText);
      if (userId === undefined) return false;
      const key = `${organizationId}/${userId}`;
      if (freshness.trusted() && cache.get(key)) return true;
      return ask({ organizationId, userId }, key);
    },
  };
}
