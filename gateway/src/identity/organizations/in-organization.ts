import type { Database } from "../../db/index.ts";
import { parseUuid } from "../../kit/index.ts";
import { type Actor, mayAdminister, type Standing } from "../role.ts";
import { lockStanding, type Queryable } from "./store.ts";

/** `not_found` also covers what belongs to others, so that nobody learns what exists elsewhere. */
export type Refusal = { readonly outcome: "not_found" | "forbidden" };

type Place = { db: Database; organizationId: string; actor: Actor };

/** Runs the work in one transaction, under a lock: one change at a time to an organization's people and keys. */
export async function inOrganization<T>(
  { db, organizationId, actor }: Place,
  work: (client: Queryable, standing: Standing) => Promise<T>,
): Promise<T | Refusal> {
  const id = parseUuid(organizationId);
  if (id === undefined) return { outcome: "not_found" };
  return db.transaction(async (client): Promise<T | Refusal> => {
    const standing = await lockStanding(client, id, actor);
    if (standing === undefined || standing === "stranger") return { outcome: "not_found" };
    return work(client, standing);
  });
}

/** The same, for owners, admins and the operator only. */
export function administer<T>(place: Place, work: (client: Queryable) => Promise<T>): Promise<T | Refusal> {
  return inOrganization<T | Refusal>(place, async (client, standing) =>
    mayAdminister(standing) ? work(client) : { outcome: "forbidden" },
  );
}
