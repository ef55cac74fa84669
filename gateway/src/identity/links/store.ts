import { present } from "../../kit/index.ts";
import type { Queryable } from "../organizations/store.ts";

/** Selects our rows in the accounts library's table. A partial index has exactly this condition. */
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

/** Deletes the link in order to claim it: of two concurrent attempts, one succeeds. */
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
 * Lock taken first by everything that creates, uses or ends a person's links, so that each sees what the others did. It
 * does not block inserts that reference the person (seats, sessions), so that two transactions which each made one do
 * not deadlock. False if there is no such person.
 */
export async function lockUser(client: Queryable, userId: string): Promise<boolean> {
  const { rows } = await client.query(`select from "user" where id = $1 for no key update`, [userId]);
  return rows.length === 1;
}
