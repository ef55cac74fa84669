import type { Database } from "../../db/index.ts";
import { newId } from "../../kit/index.ts";
import { MAX_MEMBERS } from "../members/add-member.ts";
import { countMembers, insertMember, loadUserByEmail, saveUser } from "../members/store.ts";
import { lockStanding, type Queryable } from "../organizations/store.ts";
import { parsePersonName } from "../people/person-name.ts";
import type { Invalid } from "../refusal.ts";
import { OPERATOR } from "../role.ts";
import { transact } from "../transaction.ts";
import { invitationIdOf } from "./invitation-token.ts";
import { deleteInvitation, loadInvitation } from "./store.ts";

/** Who takes it: somebody signed in, or a newcomer who gives a name. */
export type AcceptInvitation = {
  token: string;
  as:
    | { readonly kind: "person"; readonly userId: string }
    | { readonly kind: "newcomer"; readonly name: string };
};

export type AcceptedInvitation =
  | { readonly outcome: "ok"; readonly userId: string; readonly organizationId: string }
  /** `dead` for whatever is not open; `not_yours` when the address belongs to somebody else. */
  | { readonly outcome: "dead" | "not_yours" | "has_account" | "too_many_members" }
  | Invalid;

/**
 * The role is the one that was offered: an offer is gone with the right to make it. Under the organization's lock, so of
 * two who come at once with the same token one gets in.
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
    // Read again behind the lock: who came first may have used it up, and whoever made it may have lost the right to.
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
    // Somebody made an account with that address at this very moment.
    if (!user && !saved.created) return { outcome: "has_account" };
    await deleteInvitation(client, { organizationId, id });
    await insertMember(client, { organizationId, userId: saved.user.id, role });
    return { outcome: "ok", userId: saved.user.id, organizationId };
  });
}
