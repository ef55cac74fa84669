import type { Database } from "../../../db/index.ts";
import { lazily } from "../../../kit/index.ts";
import { type LibraryOptions, openLibrary, sessionCookieName } from "./accounts-package.ts";
import {
  createPasswordGate,
  createPasswords,
  type EndLinks,
  type Passwords,
  throughGate,
} from "./accounts-passwords.ts";
import { type AccountsPool, createAccountsPool } from "./accounts-pool.ts";
import type { Asker, ListedSession, OpenedSession, Session } from "./accounts-session.ts";
import {
  beginWhereLeft,
  endSession,
  endSessionOf,
  endSessionsBehind,
  headersOf,
  keepOrganization,
  listSessions,
  sessionOf,
} from "./accounts-session.ts";
import { holdPerson } from "./accounts-store.ts";

/** People's sessions and passwords. `cookies` are Set-Cookie lines. */
export type Accounts = {
  /** Without this cookie there is no session, and the database need not be asked. */
  readonly cookieName: string;
  readonly passwords: Passwords;
  /** One transaction: a one-time link is used up together with what it is used for, or not at all. */
  readonly together: AccountsPool["together"];
  /** Asks the database each time, so a session that was ended anywhere is ended here. */
  currentSession(asker: Asker): Promise<{ session: Session | null; cookies: readonly string[] }>;
  /** One answer, after the same work, for an unknown address, a missing password and a wrong one. */
  signIn(
    asker: Asker,
    credentials: { email: string; password: string },
  ): Promise<
    | { outcome: "ok"; userId: string; cookies: readonly string[] }
    | { outcome: "refused" }
    | { outcome: "busy" }
  >;
  /** For someone who has proved their identity by other means. Null if the person no longer exists. */
  openSession(asker: Asker, userId: string): Promise<OpenedSession | null>;
  chooseOrganization(session: Session, organizationId: string): Promise<void>;
  /** Remembers an organization shown by default, unless one was chosen since the session was read. */
  keepOrganization(session: Session, organizationId: string): Promise<void>;
  /** Sessions that are valid now, last used first; a person has at most a hundred. */
  sessionsOf(userId: string): Promise<ListedSession[]>;
  /** False if the person has no such session; someone else's counts as none. */
  endSession(userId: string, sessionId: string): Promise<boolean>;
  /** Also ends the person's one-time links, which could open new sessions. */
  endAllSessions(userId: string): Promise<void>;
  /** Ends the session on the server; clearing the browser's cookies is only tidying up. */
  signOut(asker: Asker): Promise<readonly string[]>;
};

export function createAccounts({
  db,
  endLinks,
  ...options
}: Omit<LibraryOptions, "pool"> & { db: Database; endLinks: EndLinks }): Accounts {
  const gate = createPasswordGate();
  const { pool, together } = createAccountsPool(db);
  const library = lazily(() => openLibrary({ ...options, pool }));

  async function openSession(asker: Asker, userId: string): Promise<OpenedSession | null> {
    const auth = await library();
    const request = { body: { userId }, headers: headersOf(asker), returnHeaders: true } as const;
    const { response, headers } = await auth.api.openSession(request);
    if (!response) return null;
    await beginWhereLeft(auth, response.session);
    await endSessionsBehind(auth, asker, userId);
    return { session: sessionOf(response), cookies: headers.getSetCookie() };
  }

  async function chooseOrganization(session: Session, organizationId: string): Promise<void> {
    const { internalAdapter } = await (await library()).$context;
    await internalAdapter.updateSession(session.token, { activeOrganizationId: organizationId });
  }

  /** Opens a session in place of an ended one, with the same organization. */
  async function reopenSession(asker: Asker, ended: Session): Promise<OpenedSession | null> {
    const opened = await openSession(asker, ended.userId);
    if (opened && ended.organizationId !== null) {
      await chooseOrganization(opened.session, ended.organizationId);
    }
    return opened;
  }

  return {
    cookieName: sessionCookieName(options.publicUrl),
    passwords: createPasswords({ library, gate, together, endLinks, reopenSession }),
    together,
    openSession,
    chooseOrganization,

    async currentSession(asker) {
      const { api } = await library();
      const { response, headers } = await api.getSession({ headers: headersOf(asker), returnHeaders: true });
      return { session: response && sessionOf(response), cookies: headers.getSetCookie() };
    },

    async signIn(asker, credentials) {
      const auth = await library();
      const signedIn = await throughGate(gate, () =>
        together(async (client) => {
          await holdPerson(client, credentials.email);
          const request = { body: credentials, headers: headersOf(asker), returnHeaders: true } as const;
          return auth.api.signInEmail(request).catch(nullWhenRefused);
        }),
      );
      if (signedIn.outcome === "busy") return signedIn;
      if (signedIn.value === null) return { outcome: "refused" };
      const { response, headers } = signedIn.value;
      await beginWhereLeft(auth, { userId: response.user.id, token: response.token });
      await endSessionsBehind(auth, asker, response.user.id);
      return { outcome: "ok", userId: response.user.id, cookies: headers.getSetCookie() };
    },

    keepOrganization: async (session, organizationId) =>
      keepOrganization(await library(), session, organizationId),
    sessionsOf: async (userId) => listSessions(await library(), userId),
    endSession: async (userId, sessionId) => endSessionOf(await library(), userId, sessionId),
    async endAllSessions(userId) {
      const { internalAdapter } = await (await library()).$context;
      await together(async (client) => {
        // First, so that a session that a link is opening right now is waited for, and ended too.
        await endLinks(client, userId);
        await internalAdapter.deleteUserSessions(userId);
      });
    },

    async signOut(asker) {
      const auth = await library();
      await endSession(auth, asker);
      const { headers } = await auth.api.signOut({ headers: headersOf(asker), returnHeaders: true });
      return headers.getSetCookie();
    },
  };
}

/** All 4xx of the library mean the same to a guesser; our own failures stay errors. */
function nullWhenRefused(error: unknown): null {
  const isRefusal =
    error instanceof Error &&
    "statusCode" in error &&
    typeof error.statusCode === "number" &&
    error.statusCode >= 400 &&
    error.statusCode < 500;
  if (!isRefusal) throw error;
  return null;
}
