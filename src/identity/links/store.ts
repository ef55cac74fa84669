import { present } from "../../kit/index.ts";
import type { Queryable } from "../organizations/store.ts";

/** Identifiers in the accounts library's table that are ours. The partial index is on exactly this text. */
const OURS = "identifier like 'bursar-link:%'";

function identifier(tokenHash: string): string {
  return `bursar-link:${tokenHash}`;
}

/** One link per person and purpose: a new one voids the older ones, and the expired ones of all go along. */
export async function saveLink(
  client: Queryable,
  link: { tokenHash: string; value: string; lifetimeMs: number },
): Promise<Date> {
  await client.query(
    `delete from verification where ${OURS} and (value = $1 or "expiresAt" < bursar_now() - interval '1 day')`,
    [link.value],
  );
  const { rows } = await client.query<{ expires_at: Date }>(
    `insert into verification (identifier, value, "expiresAt")
     values ($1, $2, bursar_now() + $3::float8 * interval '1 millisecond') returning "expiresAt" as expires_at`,
    [identifier(link.tokenHash), link.value, link.lifetimeMs],
  );
  return present(rows[0], "the link").expires_at;
}

/** Deleting is taking: of two who come at once, one gets the value. */
export async function takeLink(db: Queryable, tokenHash: string): Promise<string | undefined> {
  const { rows } = await db.query<{ value: string }>(
    `delete from verification where identifier = $1 and "expiresAt" > bursar_now() returning value`,
    [identifier(tokenHash)],
  );
  return rows[0]?.value;
}

export async function userExists(db: Queryable, userId: string): Promise<boolean> {
  const { rows } = await db.query(`select from "user" where id = $1`, [userId]);
  return rows.length === 1;
}
