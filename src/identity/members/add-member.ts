import type { Database } from "../../db/index.ts";
import { newId, present } from "../../kit/index.ts";
import type { Links, OneTimeLink } from "../links/links.ts";
import { inOrganization, type Refusal } from "../organizations/in-organization.ts";
import { parsePersonName } from "../people/person-name.ts";
import { type Invalid, refuse } from "../refusal.ts";
import { type Actor, isRole, ROLES, type Role } from "../role.ts";
import { parseEmail } from "./email.ts";
import { judgeMemberChange } from "./member-rules.ts";
import { countMembers, insertMember, loadMember, type Member, saveUser } from "./store.ts";

export type AddMember = { organizationId: string; email: string; role: string; name?: string; actor: Actor };

export type AddedMember =
  | { readonly outcome: "ok"; readonly member: Member; readonly link: OneTimeLink | null }
  | Refusal
  | { readonly outcome: "already_member" | "too_many_members" }
  | Invalid;

/** Also what a list shows: an organization that outgrows it needs pages first. */
export const MAX_MEMBERS = 10_000;

/**
 * Makes the account if the address is new. The link goes to whoever asked, so only the operator gets one
 * for an account that exists: an admin could otherwise take over a stranger's account by adding it.
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
    const isNew = await insertMember(client, { organizationId, userId: user.id, role });
    if (!isNew) return { outcome: "already_member" };
    const mayHaveLink = created || standing === "operator";
    const link = mayHaveLink
      ? await deps.links.create(client, { userId: user.id, purpose: "set-password" })
      : null;
    const member = present(await loadMember(client, organizationId, user.id), "the new member");
    return { outcome: "ok", member, link };
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
