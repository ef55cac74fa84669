import type { Queryable } from "./organizations/store.ts";

/**
 * Deletes the sessions and the password of an account whose address was never proved: whoever created it may not own
 * the address. False if it was proved. Must run in a transaction: the lock blocks sign-ins, whose sessions reference
 * the person, until there is nothing left to sign in with.
 */
export async function endUnprovedAccess(client: Queryable, userId: string): Promise<boolean> {
  const { rows } = await client.query(`select from "user" where id = $1 and not "emailVerified" for update`, [
    userId,
  ]);
  if (rows.length === 0) return false;
  await client.query(`delete from session where "userId" = $1`, [userId]);
  await client.query(`delete from account where "userId" = $1`, [userId]);
  return true;
}

/**
 * For a person who came by a link that only the address or the operator could provide. Removes what others set up
 * before.
 */
export async function saveProof(client: Queryable, userId: string): Promise<void> {
  if (!(await endUnprovedAccess(client, userId))) return;
  await client.query(`update "user" set "emailVerified" = true, "updatedAt" = bursar_now() where id = $1`, [
    userId,
  ]);
}
