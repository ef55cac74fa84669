import { forbidden } from "../../../operations/index.ts";
import type { Session } from "../accounts/accounts-session.ts";
import type { Ask } from "../ask.ts";
import type { ConsoleParts } from "../parts.ts";
import { resolveViewer, type Viewer } from "../viewer.ts";
import type { Asked, Audience } from "./operation.ts";
import { type ConsoleProblem, elsewhere, removed, signedOut } from "./problem.ts";

/** Checked again for each request: someone who was signed out, removed or lost a role sees nothing more. */
export async function introduce(parts: ConsoleParts, who: Audience, ask: Ask): Promise<Asked[Audience]> {
  if (who === "anyone") return ask;
  if (who === "person") return { ...ask, signedIn: await signedInOf(ask) };
  return introduceMember(parts, ask);
}

export async function introduceMember(parts: ConsoleParts, ask: Ask): Promise<Asked["member"]> {
  const signedIn = await signedInOf(ask);
  const viewer = await resolveViewer(parts, signedIn);
  if (!viewer) throw forbidden("You belong to no organization at the moment.");
  const page = parts.guard.pageOf(ask, signedIn);
  if (page && page.organizationId !== viewer.organization.id) {
    throw await whyElsewhere(parts, viewer, page.organizationId);
  }
  return { ...ask, signedIn, viewer };
}

/** The page's token is signed: its sender was shown that organization before, and may see its name. */
async function whyElsewhere(
  { identity }: ConsoleParts,
  { session, organization }: Viewer,
  shownId: string | null,
): Promise<ConsoleProblem> {
  const memberships = await identity.members.membershipsOf(session.userId);
  if (shownId === null || memberships.some(({ organizationId }) => organizationId === shownId)) {
    return elsewhere(organization.name);
  }
  const left = await identity.organizations.find(shownId);
  return left ? removed(left.name, organization.name) : elsewhere(organization.name);
}

async function signedInOf(ask: Ask): Promise<Session> {
  const signedIn = await ask.session();
  if (!signedIn) throw signedOut();
  return signedIn;
}
