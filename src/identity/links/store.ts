import { present } from "../../kit/index.ts";
import type { Queryable } from "../organizations/store.ts";

/** Identifiers in the accounts library's table that are ours. The partial index is on exactly this text. */
const OURS = "identifier like 'bursar-link:%'";

function identifier(tokenHash: string): string {
  return `bursar-link:${tokenHash}`;
}

export async function saveLink(
  client: Queryable,
  link: { tokenHash: string; value: string; lifetimeMs: number },
): Promise<Date> {
  const { rows } = await client.query<{ expires_at: Date }>(
    `insert into verification (identifier, value, "expiresAt")
     values ($1, $2, bursar_now() + $3::float8 * interval '1 millisecond') returning "expiresAt" as expires_at`,
    [identifier(link.tokenHash), link.value, link.lifetimeMs],
  );
  return present(rows[0], "the link").expires_at;
}

export async function loadLink(client: Queryable, tokenHash: string): Promise<string | undefined> {
  const { rows } = await client.query<{ value: string }>(
    `select value from verification where identifier = $1 and "expiresAt" > bursar_now()`,
    [identifier(tokenHash)],
  );
  return rows[0]?.value;
}

/** Deleting is taking: of two who come at once, one gets it. */
export async function takeLink(client: Queryable, tokenHash: string): Promise<boolean> {
  const { rowCount } = await client.query(`delete from verification where identifier = $1`, [
    identifier(tokenHash),
  ]);
  return rowCount === 1;
}

export async function deleteLinks(client: Queryable, values: readonly string[]): Promise<void> {
  await client.query(`delete from verification where ${OURS} and value = any($1::text[])`, [values]);
}

/**
 * Whoever makes, uses or ends a person's links has this lock first: two who come at once see what the other did. It
 * lets new seats and sessions refer to the person, so that two who each made one do not wait for each other. False where
 * there is no such person.
 */
export async function lockUser(client: Queryable, userId: string): Promise<boolean> {
  const { rows } = await client.query(`select from "user" where id = $1 for no key update`, [userId]);
  return rows.length === 1;
}
