import { type AccountsLibrary, CLIENT_ADDRESS_HEADER } from "./accounts-library.ts";

/** Who sends a request, as far as sessions care. */
export type Asker = {
  readonly cookie: string;
  readonly userAgent: string;
  readonly clientAddress: string;
};

export type Session = {
  readonly id: string;
  /** Whoever has it can end the session; never put into a page. */
  readonly token: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly organizationId: string | null;
  readonly createdAt: Date;
};

/** One that is new; `cookies` are lines for Set-Cookie. */
export type OpenedSession = { readonly session: Session; readonly cookies: readonly string[] };

/** As its owner sees it beside the others. */
export type ListedSession = {
  readonly id: string;
  readonly userAgent: string;
  readonly clientAddress: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
};

const MAX_LISTED = 100;

export async function listSessions(auth: AccountsLibrary, userId: string): Promise<ListedSession[]> {
  const { internalAdapter } = await auth.$context;
  const sessions = await internalAdapter.listSessions(userId, { onlyActiveSessions: true });
  return sessions
    .map(({ id, userAgent, ipAddress, createdAt, updatedAt }) => ({
      id,
      userAgent: userAgent ?? "",
      clientAddress: ipAddress || null,
      createdAt,
      lastSeenAt: updatedAt,
    }))
    .toSorted((a, b) => b.lastSeenAt.getTime() - a.lastSeenAt.getTime())
    .slice(0, MAX_LISTED);
}

export async function endSessionOf(
  auth: AccountsLibrary,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  const { internalAdapter, adapter } = await auth.$context;
  const sessions = await internalAdapter.listSessions(userId);
  const found = sessions.find(({ id }) => id === sessionId);
  if (!found) return false;
  await adapter.deleteMany({ model: "session", where: [{ field: "token", value: found.token }] });
  return true;
}

/** After a sign-in: the session that the browser came with, and those of the person that have expired. */
export async function endSessionsBehind(auth: AccountsLibrary, asker: Asker, userId: string): Promise<void> {
  await endSession(auth, asker);
  const { adapter } = await auth.$context;
  await adapter.deleteMany({
    model: "session",
    where: [
      { field: "userId", value: userId },
      { field: "expiresAt", operator: "lt", value: new Date() },
    ],
  });
}

/** Throws when the database does: the library's own sign-out would call it a success. */
export async function endSession(auth: AccountsLibrary, asker: Asker): Promise<void> {
  const found = await auth.api.getSession({ headers: headersOf(asker), query: { disableRefresh: true } });
  const { internalAdapter } = await auth.$context;
  if (found) await internalAdapter.deleteSession(found.session.token);
}

export function headersOf(asker: Asker): Headers {
  return new Headers({
    cookie: asker.cookie,
    "user-agent": asker.userAgent,
    [CLIENT_ADDRESS_HEADER]: asker.clientAddress,
  });
}

export function sessionOf({
  session,
  user,
}: {
  session: { id: string; token: string; createdAt: Date; activeOrganizationId?: string | null };
  user: { id: string; name: string; email: string };
}): Session {
  return {
    id: session.id,
    token: session.token,
    userId: user.id,
    name: user.name,
    email: user.email,
    organizationId: session.activeOrganizationId ?? null,
    createdAt: session.createdAt,
  };
}
