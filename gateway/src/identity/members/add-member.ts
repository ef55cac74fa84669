import type { Database } from "../../db/index.ts";
import { newId, present } from "../../kit/index.ts";
import { parseEmail } from "../email.ts";
import { deleteInvitationTo } from "../invitation-store.ts";
import type { Links, OneTimeLink } from "../links/links.ts";
import { inOrganization, type Refusal } from "../organizations/in-organization.ts";
import { parsePersonName } from "../person-name.ts";
import { endUnprovedAccess } from "../proof-store.ts";
import { type Invalid, refuse } from "../refusal.ts";
import { type Actor, isRole, ROLES, type Role } from "../role.ts";
import { judgeMemberChange } from "./member-rules.ts";
import { countMembers, insertMember, loadMember, type Member, saveUser } from "./store.ts";

export type AddMember = { organizationId: string; email: string; role: string; name?: string; actor: Actor };

export type AddedMember =
  | {
      readonly outcome: "ok";
      readonly member: Member;
      readonly link: OneTimeLink | null;
      /**
       * `reset`: the account existed, but nobody had proved its address; its sessions and its password were deleted.
       */
      readonly account: "made" | "kept" | "reset";
    }
  | Refusal
  | { readonly outcome: "already_member" | "too_many_members" }
  | Invalid;

/** Also the most that a list shows: a larger organization would need paging first. */
export const MAX_MEMBERS = 10_000;

/**
 * Creates the account if the address is new. The caller gets the link, so for an existing account only the operator
 * gets one: otherwise an admin could take over a stranger's account by adding it. An account made under somebody else's
 * address does not inherit the seats that the operator later gives to that address.
 */
export async function addMember(
  deps: { db: Database; links: Links },
  input: AddMember,
): Promise<AddedMember> {
  const parsed = parsePerson(input);
  if (parsed.outcome === "invalid") return parsed;
  const { email, name, role } = parsed;
  const { organizationId, actor } = input;
  return inOrganization<AddedMember>({ db: deps.db, organizationId, actor }, async (client, standing) => {
    const verdict = judgeMemberChange({ standing, change: { kind: "add", role }, otherOwners: 0 });
    if (verdict !== "ok") return { outcome: "forbidden" };
    if ((await countMembers(client, organizationId)) >= MAX_MEMBERS) return { outcome: "too_many_members" };
    const { user, created } = await saveUser(client, { id: newId(), email, name });
    if (await loadMember(client, organizationId, user.id)) return { outcome: "already_member" };
    const isOperator = standing === "operator";
    const isReset = !created && isOperator && (await endUnprovedAccess(client, user.id));
    const isNew = await insertMember(client, { organizationId, userId: user.id, role });
    if (!isNew) return { outcome: "already_member" };
    await deleteInvitationTo(client, { organizationId, email });
    const mayHaveLink = created || isOperator;
    const link = mayHaveLink
      ? await deps.links.create(client, { userId: user.id, purpose: "set-password" })
      : null;
    const member = present(await loadMember(client, organizationId, user.id), "the new member");
    return { outcome: "ok", member, link, account: created ? "made" : isReset ? "reset" : "kept" };
  });
}

type Person = { readonly outcome: "ok"; readonly email: string; readonly name: string; readonly role: Role };

function parsePerson({ email: emailText, role, name: nameText }: AddMember): Person | Invalid {
  if (!isRole(role)) return refuse("role", ROLES.join(", "));
  const parsed = parseEmail(emailText);
  if (parsed.outcome === "invalid") return parsed;
  const { email } = parsed;
  const name = parsePersonName(nameText ?? email.slice(0, email.indexOf("@")));
  return name.outcome === "invalid" ? name : { outcome: "ok", email, name: name.text, role };
}
