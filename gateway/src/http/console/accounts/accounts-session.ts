import { parseUuid } from "../../../kit/index.ts";
import { type AccountsLibrary, CLIENT_ADDRESS_HEADER } from "./accounts-package.ts";

/** The sender of a request, as far as sessions are concerned. */
export type Asker = {
  readonly cookie: string;
  readonly userAgent: string;
  readonly clientAddress: string;
};

export type Session = {
  readonly id: string;
  /** Anyone who has it can end the session; never put into a page. */
  readonly token: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly organizationId: string | null;
  readonly createdAt: Date;
};

/** A new session; `cookies` are Set-Cookie lines. */
export type OpenedSession = { readonly session: Session; readonly cookies: readonly string[] };

/** A session as shown in its owner's list. */
export type ListedSession = {
  readonly id: string;
  readonly userAgent: string;
  readonly clientAddress: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
};

type SessionRow = {
  readonly id: string;
  readonly userAgent?: string | null;
  readonly ipAddress?: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Per person; one more ends the session that was used longest ago. */
const MAX_SESSIONS = 100;

/** Queries the adapter directly: the library's own list stops at a hundred, in no order. */
async function loadSessions(auth: AccountsLibrary, userId: string, offset = 0): Promise<SessionRow[]> {
  const { adapter } = await auth.$context;
  return adapter.findMany<SessionRow>({
    model: "session",
    where: [
      { field: "userId", value: userId },
      { field: "expiresAt", operator: "gt", value: new Date() },
    ],
    sortBy: { field: "updatedAt", direction: "desc" },
    limit: MAX_SESSIONS,
    offset,
  });
}

export async function listSessions(auth: AccountsLibrary, userId: string): Promise<ListedSession[]> {
  const sessions = await loadSessions(auth, userId);
  return sessions.map(({ id, userAgent, ipAddress, createdAt, updatedAt }) => ({
    id,
    userAgent: userAgent ?? "",
    clientAddress: ipAddress || null,
    createdAt,
    lastSeenAt: updatedAt,
  }));
}

export async function endSessionOf(
  auth: AccountsLibrary,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  const id = parseUuid(sessionId);
  if (id === undefined) return false;
  const { adapter } = await auth.$context;
  const ended = await adapter.deleteMany({
    model: "session",
    where: [
      { field: "id", value: id },
      { field: "userId", value: userId },
    ],
  });
  return ended > 0;
}

/** A new session starts with the organization of the person's last session that was not signed out. */
export async function beginWhereLeft(
  auth: AccountsLibrary,
  { userId, token }: Pick<Session, "userId" | "token">,
): Promise<void> {
  const { adapter, internalAdapter } = await auth.$context;
  const [last] = await adapter.findMany<{ activeOrganizationId: string }>({
    model: "session",
    where: [
      { field: "userId", value: userId },
      { field: "activeOrganizationId", operator: "ne", value: null },
    ],
    sortBy: { field: "updatedAt", direction: "desc" },
    limit: 1,
  });
  if (!last) return;
  await internalAdapter.updateSession(token, { activeOrganizationId: last.activeOrganizationId });
}

/** Does nothing if another one was chosen since the session was read: a slow query must not undo that choice. */
export async function keepOrganization(
  auth: AccountsLibrary,
  session: Session,
  organizationId: string,
): Promise<void> {
  const { adapter } = await auth.$context;
  await adapter.updateMany({
    model: "session",
    where: [
      { field: "id", value: session.id },
      { field: "activeOrganizationId", value: session.organizationId },
    ],
    update: { activeOrganizationId: organizationId },
  });
}

/** After a sign-in: ends the session that the browser came with, and the person's expired and surplus sessions. */
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
  const tooMany = (await loadSessions(auth, userId, MAX_SESSIONS)).map(({ id }) => id);
  if (tooMany.length === 0) return;
  await adapter.deleteMany({ model: "session", where: [{ field: "id", operator: "in", value: tooMany }] });
}

/** Throws if the database fails: the library's own sign-out would report success. */
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
