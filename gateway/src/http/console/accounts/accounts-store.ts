import type { Database } from "../../../db/index.ts";

type Client = Parameters<Parameters<Database["transaction"]>[0]>[0];

/**
 * Until the transaction ends, nobody can end this person's sessions or change the password: whoever tries waits, and
 * then ends the newly opened session, too. Otherwise a sign-in that began with the old password would outlive it.
 */
export async function holdPerson(client: Client, email: string): Promise<void> {
  await client.query(`select from "user" where email = $1 for key share`, [email]);
}

/** The counterpart: waits for sign-ins that have begun, and keeps new ones waiting. */
export async function lockPerson(client: Client, userId: string): Promise<void> {
  await client.query(`select from "user" where id = $1 for update`, [userId]);
}
