import { present } from "../../kit/index.ts";
import type { Queryable } from "../organizations/store.ts";
import type { Role } from "../role.ts";

type User = { readonly id: string; readonly email: string; readonly name: string };

export type Member = {
  /** The value of X-Member-User-Id. */
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAt: Date;
};

const MEMBERS = `select m."userId", u.email, u.name, m.role, m."createdAt"
  from member m join "user" u on u.id = m."userId"`;

/** The person with this address, created if new. `isProved`: they have shown that the address is theirs. */
export async function saveUser(
  client: Queryable,
  { id, name, email, isProved = false }: User & { isProved?: boolean },
): Promise<{ user: User; created: boolean }> {
  const inserted = await client.query<User>(
    `insert into "user" (id, name, email, "emailVerified") values ($1, $2, $3, $4) on conflict (email) do nothing
     returning id, email, name`,
    [id, name, email, isProved],
  );
  if (inserted.rows[0]) return { user: inserted.rows[0], created: true };
  return { user: present(await loadUserByEmail(client, email), "the user"), created: false };
}

export async function loadUserByEmail(db: Queryable, email: string): Promise<User | undefined> {
  const { rows } = await db.query<User>(`select id, email, name from "user" where email = $1`, [email]);
  return rows[0];
}

export async function savePersonName(db: Queryable, userId: string, name: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update "user" set name = $2, "updatedAt" = bursar_now() where id = $1`,
    [userId, name],
  );
  return rowCount === 1;
}

export async function loadPersonNames(
  db: Queryable,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; name: string }>(
    `select id, name from "user" where id = any($1::uuid[])`,
    [userIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function isMemberByEmail(
  client: Queryable,
  organizationId: string,
  email: string,
): Promise<boolean> {
  const { rows } = await client.query(
    `select from member m join "user" u on u.id = m."userId" where m."organizationId" = $1 and u.email = $2`,
    [organizationId, email],
  );
  return rows.length > 0;
}

export async function countMembers(client: Queryable, organizationId: string): Promise<number> {
  const { rows } = await client.query<{ members: number }>(
    `select count(*)::int as members from member where "organizationId" = $1`,
    [organizationId],
  );
  return present(rows[0], "the number of members").members;
}

/** False if the person already belongs to the organization. */
export async function insertMember(
  client: Queryable,
  member: { organizationId: string; userId: string; role: Role },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into member ("organizationId", "userId", role) values ($1, $2, $3)
     on conflict ("organizationId", "userId") do nothing`,
    [member.organizationId, member.userId, member.role],
  );
  return rowCount === 1;
}

export async function loadMembers(db: Queryable, organizationId: string, limit: number): Promise<Member[]> {
  const { rows } = await db.query<Member>(
    `${MEMBERS} where m."organizationId" = $1 order by m."createdAt", m.id limit $2`,
    [organizationId, limit],
  );
  return rows;
}

export async function loadMember(
  client: Queryable,
  organizationId: string,
  userId: string,
): Promise<Member | undefined> {
  const { rows } = await client.query<Member>(
    `${MEMBERS} where m."organizationId" = $1 and m."userId" = $2`,
    [organizationId, userId],
  );
  return rows[0];
}

export async function countOtherOwners(
  client: Queryable,
  organizationId: string,
  userId: string,
): Promise<number> {
  const { rows } = await client.query<{ owners: number }>(
    `select count(*)::int as owners from member
     where "organizationId" = $1 and role = 'owner' and "userId" <> $2`,
    [organizationId, userId],
  );
  return present(rows[0], "the number of owners").owners;
}

export async function saveRole(
  client: Queryable,
  member: { organizationId: string; userId: string; role: Role },
): Promise<void> {
  await client.query(`update member set role = $3 where "organizationId" = $1 and "userId" = $2`, [
    member.organizationId,
    member.userId,
    member.role,
  ]);
}

export async function deleteMember(client: Queryable, organizationId: string, userId: string): Promise<void> {
  await client.query(`delete from member where "organizationId" = $1 and "userId" = $2`, [
    organizationId,
    userId,
  ]);
}

export type OrganizationMembership = {
  readonly organizationId: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly role: Role;
};

/** The organizations of a person, longest membership first. */
export async function loadMembershipsOf(
  db: Queryable,
  userId: string,
  limit: number,
): Promise<OrganizationMembership[]> {
  const { rows } = await db.query<OrganizationMembership>(
    `select o.id as "organizationId", o.name, o.active as "isActive", m.role
     from member m join organization o on o.id = m."organizationId"
     where m."userId" = $1 order by m."createdAt", m.id limit $2`,
    [userId, limit],
  );
  return rows;
}
