import type { Member, OrganizationRecord, Role } from "../../identity/index.ts";
import type { Session } from "./accounts-session.ts";
import type { SignedInBar } from "./layout.ts";
import type { ConsoleParts } from "./parts.ts";

/** Somebody signed in, looking at one organization that they belong to at this moment. */
export type Viewer = {
  readonly session: Session;
  readonly organization: OrganizationRecord;
  readonly role: Role;
  readonly people: readonly Member[];
  readonly bar: SignedInBar;
};

/** Choices in the switch; who belongs to more reaches the others once one of these is left. */
const MAX_CHOICES = 50;

/** Null for somebody who belongs to no organization. Nothing is remembered: who was removed sees nothing more. */
export async function resolveViewer(parts: ConsoleParts, session: Session): Promise<Viewer | null> {
  const { identity } = parts;
  const ids = await identity.members.organizationIdsOf(session.userId);
  const chosenId = ids.find((id) => id === session.organizationId) ?? ids[0];
  if (chosenId === undefined) return null;
  const shownIds = [...new Set([chosenId, ...ids])].slice(0, MAX_CHOICES);
  const [people, ...found] = await Promise.all([
    identity.members.list(chosenId),
    ...shownIds.map((id) => identity.organizations.find(id)),
  ]);
  const organizations = found.filter((organization) => organization !== undefined);
  const organization = organizations.find(({ id }) => id === chosenId);
  const self = people.find((person) => person.userId === session.userId);
  if (!organization || !self) return null;
  return {
    session,
    organization,
    role: self.role,
    people,
    bar: barOf(parts, session, organization, organizations),
  };
}

export function barWithoutOrganization(parts: ConsoleParts, session: Session): SignedInBar {
  const formToken = parts.guard.sessionToken(session);
  return { email: session.email, formToken, organization: null, organizations: [] };
}

function barOf(
  parts: ConsoleParts,
  session: Session,
  organization: OrganizationRecord,
  organizations: readonly OrganizationRecord[],
): SignedInBar {
  const byName = [...organizations].sort((a, b) => a.name.localeCompare(b.name, "en"));
  return { ...barWithoutOrganization(parts, session), organization, organizations: byName };
}
