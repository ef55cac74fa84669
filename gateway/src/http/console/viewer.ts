import type { OrganizationRecord, Role } from "../../identity/index.ts";
import type { Session } from "./accounts/accounts-session.ts";
import type { ConsoleParts } from "./parts.ts";

/** A signed-in person and an organization that they currently belong to. */
export type Viewer = {
  readonly session: Session;
  readonly organization: OrganizationRecord;
  readonly role: Role;
  /** All organizations they may choose, by name. */
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
};

/** The only member whose calls, jobs and files they may see; null means everyone's. */
export function onlyMemberOf({ role, session }: Viewer): string | null {
  return role === "member" ? session.userId : null;
}

/** Choices in the organization switch; people with more reach the others after leaving one of these. */
const MAX_CHOICES = 50;

/** Null for someone who belongs to no organization. Nothing is cached: someone who was removed sees nothing more. */
export async function resolveViewer(
  { identity }: Pick<ConsoleParts, "identity">,
  session: Session,
): Promise<Viewer | null> {
  const memberships = await identity.members.membershipsOf(session.userId);
  const chosen =
    memberships.find((one) => one.organizationId === session.organizationId) ??
    memberships.find((one) => one.isActive) ??
    memberships[0];
  if (chosen === undefined) return null;
  const organization = await identity.organizations.find(chosen.organizationId);
  if (!organization) return null;
  const choices = memberships
    .map(({ organizationId, name, role }) => ({ id: organizationId, name, role }))
    .toSorted((a, b) => a.name.localeCompare(b.name, "en"));
  // Without the current organization in the list, another one would appear as chosen.
  const others = choices.filter(({ id }) => id !== organization.id).slice(0, MAX_CHOICES - 1);
  const organizations = choices.filter((one) => one.id === organization.id || others.includes(one));
  return { session, organization, role: chosen.role, organizations };
}
