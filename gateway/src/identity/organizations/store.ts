import type pg from "pg";
import type { Organization } from "../principal.ts";
import type { Actor, Role, Standing } from "../role.ts";

export type Queryable = Pick<pg.ClientBase, "query">;

export type OrganizationRecord = Organization & { readonly createdAt: Date };

/** Columns are named as the accounts library names its own. */
export type OrganizationRow = Omit<OrganizationRecord, "disabledModels"> & { disabledModels: string[] };

const COLUMNS = `id, name, slug, plan, active, efficiency, "disabledModels", "createdAt"`;

export function organizationFromRow(row: OrganizationRow): OrganizationRecord {
  return { ...row, disabledModels: new Set(row.disabledModels) };
}

/** Undefined if the slug is taken. */
export async function insertOrganization(
  db: Queryable,
  organization: { id: string; name: string; slug: string; plan: string },
): Promise<OrganizationRecord | undefined> {
  const { rows } = await db.query<OrganizationRow>(
    `insert into organization (id, name, slug, plan) values ($1, $2, $3, $4)
     on conflict (slug) do nothing returning ${COLUMNS}`,
    [organization.id, organization.name, organization.slug, organization.plan],
  );
  return rows[0] && organizationFromRow(rows[0]);
}

export async function loadOrganization(
  db: Queryable,
  by: { id: string } | { slug: string },
): Promise<OrganizationRecord | undefined> {
  const { rows } = await db.query<OrganizationRow>(
    `select ${COLUMNS} from organization where ${"id" in by ? "id" : "slug"} = $1`,
    ["id" in by ? by.id : by.slug],
  );
  return rows[0] && organizationFromRow(rows[0]);
}

export async function loadOrganizations(
  db: Queryable,
  page: { afterSlug: string; limit: number },
): Promise<OrganizationRecord[]> {
  const { rows } = await db.query<OrganizationRow>(
    `select ${COLUMNS} from organization where slug > $1 order by slug limit $2`,
    [page.afterSlug, page.limit],
  );
  return rows.map(organizationFromRow);
}

export type OrganizationChange = {
  name?: string;
  plan?: string;
  active?: boolean;
  efficiency?: string;
  disabledModels?: readonly string[];
};

/** Absent fields stay unchanged. */
export async function saveOrganization(
  db: Queryable,
  id: string,
  change: OrganizationChange,
): Promise<OrganizationRecord | undefined> {
  const { rows } = await db.query<OrganizationRow>(
    `update organization set
       name = coalesce($2, name),
       plan = coalesce($3, plan),
       active = coalesce($4, active),
       efficiency = coalesce($5, efficiency),
       "disabledModels" = coalesce($6, "disabledModels")
     where id = $1 returning ${COLUMNS}`,
    [
      id,
      change.name ?? null,
      change.plan ?? null,
      change.active ?? null,
      change.efficiency ?? null,
      change.disabledModels ?? null,
    ],
  );
  return rows[0] && organizationFromRow(rows[0]);
}

/**
 * The actor's standing; undefined if there is no such organization. Locks the organization's row, so that changes to
 * its people and keys happen one after another; running calls do not touch that row.
 */
export async function lockStanding(
  client: Queryable,
  organizationId: string,
  actor: Actor,
): Promise<Standing | undefined> {
  const { rows } = await client.query<{ role: Role | null }>(
    `select m.role from organization o
     left join member m on m."organizationId" = o.id and m."userId" = $2
     where o.id = $1 for no key update of o`,
    [organizationId, actor.kind === "person" ? actor.userId : null],
  );
  const row = rows[0];
  if (!row) return undefined;
  if (actor.kind === "operator") return "operator";
  if (actor.kind === "key") return "owner";
  return row.role ?? "stranger";
}
