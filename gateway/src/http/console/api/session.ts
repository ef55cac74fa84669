import { z } from "zod";
import { noSuch } from "../../../operations/index.ts";
import type { Session } from "../accounts/accounts-session.ts";
import type { SessionView } from "../contract.ts";
import type { ConsoleParts } from "../parts.ts";
import { resolveViewer, type Viewer } from "../viewer.ts";
import type { Command, Query } from "./operation.ts";

const nothing = z.strictObject({});

/** The signed-in person, their organization, and the token that their commands must carry. */
export function sessionQuery(parts: ConsoleParts): Query<"session"> {
  /** Stores the organization that is shown: it then stays on the page even if it is deactivated. */
  async function keepShown(session: Session, viewer: Viewer | null): Promise<void> {
    const id = viewer?.organization.id;
    if (id && id !== session.organizationId) await parts.accounts.keepOrganization(session, id);
  }

  return {
    who: "anyone",
    input: nothing,
    async run(ask): Promise<SessionView> {
      const session = await ask.session();
      const { service } = parts.config;
      if (!session) {
        return {
          person: null,
          organization: null,
          organizations: [],
          token: parts.guard.visitorToken(ask),
          service,
        };
      }
      const viewer = await resolveViewer(parts, session);
      await keepShown(session, viewer);
      parts.knownBrowsers.remember(ask, session.email);
      return {
        person: {
          id: session.userId,
          name: session.name,
          email: session.email,
          hasPassword: await parts.accounts.passwords.has(session.userId),
          mayChoosePassword: parts.tickets.holds(ask, session),
          isOperator: await parts.operations.identity.operators.is(session.userId),
        },
        organization: viewer && {
          id: viewer.organization.id,
          name: viewer.organization.name,
          slug: viewer.organization.slug,
          plan: viewer.organization.plan,
          isActive: viewer.organization.active,
          role: viewer.role,
        },
        organizations: viewer?.organizations ?? [],
        token: parts.guard.sessionToken(session, viewer?.organization.id ?? null),
        service,
      };
    },
  };
}

/** Switches to another organization of the same person. One they do not belong to answers as if it did not exist. */
export function chooseOrganizationCommand({
  accounts,
  identity,
}: ConsoleParts): Command<"choose-organization"> {
  return {
    who: "person",
    input: z.strictObject({ id: z.string() }),
    async run({ signedIn }, { id }) {
      const memberships = await identity.members.membershipsOf(signedIn.userId);
      if (!memberships.some((one) => one.organizationId === id)) throw noSuch("organization");
      await accounts.chooseOrganization(signedIn, id);
      return {};
    },
  };
}
