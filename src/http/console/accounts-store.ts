import type { Database } from "../../db/index.ts";

type Client = Parameters<Parameters<Database["transaction"]>[0]>[0];

/**
 * Until the transaction ends, nobody ends this person's sessions or changes the password: who does waits, and ends the
 * session that was opened meanwhile, too. Otherwise a sign-in that began with the old password would outlive it.
 */
export async function holdPerson(client: Client, email: string): Promise<void> {
  await client.query(`select from "user" where email = $1 for key share`, [email]);
}

/** The other side: waits for sign-ins that have begun, and keeps new ones waiting. */
export async function lockPerson(client: Client, userId: string): Promise<void> {
  await client.query(`select from "user" where id = $1 for update`, [userId]);
}
