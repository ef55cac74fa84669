import type { Database } from "../../db/index.ts";
import { newId } from "../../kit/index.ts";
import { deleteInvitation, loadInvitation } from "../invitation-store.ts";
import { MAX_MEMBERS } from "../members/add-member.ts";
import { countMembers, insertMember, loadUserByEmail, saveUser } from "../members/store.ts";
import { lockStanding, type Queryable } from "../organizations/store.ts";
import { parsePersonName } from "../person-name.ts";
import type { Invalid } from "../refusal.ts";
import { OPERATOR } from "../role.ts";
import { transact } from "../transaction.ts";
import { invitationIdOf } from "./invitation-token.ts";

/** Accepted by a person who is signed in, or by a newcomer who gives a name. */
export type AcceptInvitation = {
  token: string;
  as:
    | { readonly kind: "person"; readonly userId: string }
    | { readonly kind: "newcomer"; readonly name: string };
};

export type AcceptedInvitation =
  | { readonly outcome: "ok"; readonly userId: string; readonly organizationId: string }
  /** `dead`: not open (any more). `not_yours`: the address belongs to somebody else. */
  | { readonly outcome: "dead" | "not_yours" | "has_account" | "too_many_members" }
  | Invalid;

/**
 * Uses the role that was offered: an invitation is deleted when its sender loses the right to make it. Holds the
 * organization's lock, so that of two concurrent uses of the same token only one succeeds.
 */
export async function acceptInvitation(
  db: Database,
  input: AcceptInvitation,
  outer?: Queryable,
): Promise<AcceptedInvitation> {
  const id = invitationIdOf(input.token);
  const name = input.as.kind === "newcomer" ? parsePersonName(input.as.name) : null;
  if (name?.outcome === "invalid") return name;
  if (id === undefined) return { outcome: "dead" };
  return transact(db, outer, async (client): Promise<AcceptedInvitation> => {
    const seen = await loadInvitation(client, id);
    if (seen) await lockStanding(client, seen.organizationId, OPERATOR);
    // Read again under the lock: the invitation may have been used, or its sender may have lost the right to make it.
    const offered = seen && (await loadInvitation(client, id));
    if (!offered) return { outcome: "dead" };
    const { organizationId, email, role, isMailed: isProved } = offered;
    const user = await loadUserByEmail(client, email);
    if (input.as.kind === "person" && user?.id !== input.as.userId) return { outcome: "not_yours" };
    if (input.as.kind === "newcomer" && user) return { outcome: "has_account" };
    if ((await countMembers(client, organizationId)) >= MAX_MEMBERS) return { outcome: "too_many_members" };
    const saved = user
      ? { user, created: false }
      : await saveUser(client, { id: newId(), email, name: name?.text ?? email, isProved });
    // Somebody created an account with that address at the same moment.
    if (!user && !saved.created) return { outcome: "has_account" };
    await deleteInvitation(client, { organizationId, id });
    await insertMember(client, { organizationId, userId: saved.user.id, role });
    return { outcome: "ok", userId: saved.user.id, organizationId };
  });
}
