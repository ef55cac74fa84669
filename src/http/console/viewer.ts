import type { OrganizationRecord, Role } from "../../identity/index.ts";
import type { Session } from "./accounts-session.ts";
import type { ConsoleParts } from "./parts.ts";

/** Somebody signed in, looking at one organization that they belong to at this moment. */
export type Viewer = {
  readonly session: Session;
  readonly organization: OrganizationRecord;
  readonly role: Role;
  /** All that they may look at, by name. */
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
};

/** Whose calls, jobs and files alone they may see; null: everybody's. */
export function onlyMemberOf({ role, session }: Viewer): string | null {
  return role === "member" ? session.userId : null;
}

/** Whether that is among it, by who made it. */
export function maySee(viewer: Viewer, memberUserId: string | null): boolean {
  const own = onlyMemberOf(viewer);
  return own === null || memberUserId === own;
}

/** Choices in the switch; who belongs to more reaches the others once one of these is left. */
const MAX_CHOICES = 50;

/** Null for somebody who belongs to no organization. Nothing is remembered: who was removed sees nothing more. */
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
  // A list without the one that is looked at would show another as chosen.
  const others = choices.filter(({ id }) => id !== organization.id).slice(0, MAX_CHOICES - 1);
  const organizations = choices.filter((one) => one.id === organization.id || others.includes(one));
  return { session, organization, role: chosen.role, organizations };
}
