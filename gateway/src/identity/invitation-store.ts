import type { Queryable } from "./organizations/store.ts";
import { ROLES, type Role } from "./role.ts";

/** An open invitation: neither used nor cancelled nor expired. */
export type Invitation = {
  readonly id: string;
  readonly organizationId: string;
  readonly email: string;
  readonly role: Role;
  /** True if only the address got the link, so that using the link proves the address. */
  readonly isMailed: boolean;
  readonly inviterId: string;
  readonly inviterName: string;
  readonly organizationName: string;
  readonly expiresAt: Date;
};

/** Per organization. */
export const MAX_OPEN = 200;

const OPEN = `select i.id, i."organizationId", i.email, i.role, i.mailed as "isMailed", i."inviterId",
    u.name as "inviterName", o.name as "organizationName", i."expiresAt"
  from invitation i join "user" u on u.id = i."inviterId" join organization o on o.id = i."organizationId"
  where i.status = 'pending' and i."expiresAt" > bursar_now() and i.role in ('${ROLES.join("', '")}')`;

/** Replaces the older invitation to that address and deletes expired ones. */
export async function saveInvitation(
  client: Queryable,
  invitation: Pick<Invitation, "id" | "organizationId" | "email" | "role" | "isMailed" | "inviterId"> & {
    lifetimeMs: number;
  },
): Promise<void> {
  const { id, organizationId, email, role, isMailed, inviterId, lifetimeMs } = invitation;
  await client.query(
    `delete from invitation where "organizationId" = $1 and (email = $2 or "expiresAt" <= bursar_now())`,
    [organizationId, email],
  );
  await client.query(
    `insert into invitation (id, "organizationId", email, role, "inviterId", "expiresAt", mailed)
     values ($1, $2, $3, $4, $5, bursar_now() + $6::float8 * interval '1 millisecond', $7)`,
    [id, organizationId, email, role, inviterId, lifetimeMs, isMailed],
  );
}

export async function loadInvitation(db: Queryable, id: string): Promise<Invitation | undefined> {
  const { rows } = await db.query<Invitation>(`${OPEN} and i.id = $1`, [id]);
  return rows[0];
}

/** Newest first. */
export async function loadInvitations(db: Queryable, organizationId: string): Promise<Invitation[]> {
  const { rows } = await db.query<Invitation>(
    `${OPEN} and i."organizationId" = $1 order by i."createdAt" desc, i.id limit $2`,
    [organizationId, MAX_OPEN],
  );
  return rows;
}

export async function deleteInvitation(
  client: Queryable,
  invitation: { organizationId: string; id: string },
): Promise<void> {
  await client.query(`delete from invitation where "organizationId" = $1 and id = $2`, [
    invitation.organizationId,
    invitation.id,
  ]);
}

/** Call once the address has got a seat or lost it: an older invitation would be a way back in. */
export async function deleteInvitationTo(
  client: Queryable,
  { organizationId, email }: { organizationId: string; email: string },
): Promise<void> {
  await client.query(`delete from invitation where "organizationId" = $1 and email = $2`, [
    organizationId,
    email,
  ]);
}

/** Deletes one person's invitations to the given roles. */
export async function deleteInvitationsBy(
  client: Queryable,
  inviter: { organizationId: string; userId: string },
  roles: readonly Role[],
): Promise<void> {
  await client.query(
    `delete from invitation where "organizationId" = $1 and "inviterId" = $2 and role = any($3::text[])`,
    [inviter.organizationId, inviter.userId, roles],
  );
}
