import type { Queryable } from "../organizations/store.ts";

/**
 * Ends what an account was made with, sessions and password, where its address was never proved: whoever made it may be
 * somebody else than the address belongs to. False where it was proved. In a transaction: the lock keeps sign-ins, whose
 * sessions refer to the person, waiting until there is nothing left to sign in with.
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

/** For who came by what only the address or the operator could hand out. What others set up before is gone. */
export async function saveProof(client: Queryable, userId: string): Promise<void> {
  if (!(await endUnprovedAccess(client, userId))) return;
  await client.query(`update "user" set "emailVerified" = true, "updatedAt" = bursar_now() where id = $1`, [
    userId,
  ]);
}
