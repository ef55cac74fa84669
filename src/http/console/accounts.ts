import { createGate } from "../gate.ts";
import {
  type AccountsLibrary,
  CLIENT_ADDRESS_HEADER,
  type LibraryOptions,
  openLibrary,
  sessionCookieName,
} from "./accounts-library.ts";

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
};

/** People's sessions and passwords. `cookies` are lines for Set-Cookie. */
export type Accounts = {
  /** Without this cookie there is no session, and no need to ask. */
  readonly cookieName: string;
  /** Asks the database each time, so a session that was ended anywhere is ended here. */
  currentSession(asker: Asker): Promise<{ session: Session | null; cookies: readonly string[] }>;
  /** One answer, after the same work, for an unknown address, a missing and a wrong password. */
  signIn(
    asker: Asker,
    credentials: { email: string; password: string },
  ): Promise<
    | { outcome: "ok"; userId: string; cookies: readonly string[] }
    | { outcome: "refused" }
    | { outcome: "busy" }
  >;
  /** For who came by a one-time link. Null: there is no such person any more. */
  openSession(asker: Asker, userId: string): Promise<{ session: Session; cookies: readonly string[] } | null>;
  /**
   * Uses up this session, ends all others of the person and sets the password. `gone`: the session was
   * used up or ended already, so of two who come with the same one, one sets a password.
   */
  choosePassword(session: Session, password: string): Promise<{ outcome: "ok" | "gone" | "busy" }>;
  chooseOrganization(session: Session, organizationId: string): Promise<void>;
  /** Ended on the server; the browser's cookies are only tidied up. */
  signOut(asker: Asker): Promise<readonly string[]>;
};

/**
 * Checking a password takes 32 MB and tens of milliseconds of a core, on purpose. A crowd at the sign-in
 * form must not take both away from paid calls.
 */
const PASSWORD_GATE = { slots: 2, maxWaiting: 32, maxWaitMs: 10_000 };

type Gated<T> = { readonly outcome: "done"; readonly value: T } | { readonly outcome: "busy" };

export function createAccounts(options: LibraryOptions): Accounts {
  const gate = createGate(PASSWORD_GATE);
  let opening: Promise<AccountsLibrary> | undefined;

  function library(): Promise<AccountsLibrary> {
    opening ??= openLibrary(options).catch((error) => {
      // The next one who asks tries again.
      opening = undefined;
      throw error;
    });
    return opening;
  }

  async function throughGate<T>(work: () => Promise<T>): Promise<Gated<T>> {
    const leave = await gate.enter().catch(() => null);
    if (leave === null) return { outcome: "busy" };
    try {
      return { outcome: "done", value: await work() };
    } finally {
      leave();
    }
  }

  return {
    cookieName: sessionCookieName(options.publicUrl),

    async currentSession(asker) {
      const { api } = await library();
      const { response, headers } = await api.getSession({ headers: headersOf(asker), returnHeaders: true });
      return { session: response && sessionOf(response), cookies: headers.getSetCookie() };
    },

    async signIn(asker, { email, password }) {
      const auth = await library();
      const signedIn = await throughGate(() =>
        auth.api
          .signInEmail({ body: { email, password }, headers: headersOf(asker), returnHeaders: true })
          .catch(nullWhenRefused),
      );
      if (signedIn.outcome === "busy") return signedIn;
      if (signedIn.value === null) return { outcome: "refused" };
      const { response, headers } = signedIn.value;
      await endSessionsBehind(auth, asker, response.user.id);
      return { outcome: "ok", userId: response.user.id, cookies: headers.getSetCookie() };
    },

    async openSession(asker, userId) {
      const auth = await library();
      const opened = await auth.api.openSession({
        body: { userId },
        headers: headersOf(asker),
        returnHeaders: true,
      });
      if (!opened.response) return null;
      await endSessionsBehind(auth, asker, userId);
      return { session: sessionOf(opened.response), cookies: opened.headers.getSetCookie() };
    },

    async choosePassword(session, password) {
      const { internalAdapter, adapter, password: passwords } = await (await library()).$context;
      const hashed = await throughGate(() => passwords.hash(password));
      if (hashed.outcome === "busy") return hashed;
      const usedUp = await adapter.deleteMany({
        model: "session",
        where: [{ field: "token", value: session.token }],
      });
      if (usedUp === 0) return { outcome: "gone" };
      const { userId } = session;
      if (await internalAdapter.findCredentialAccount(userId)) {
        await internalAdapter.updatePassword(userId, hashed.value);
      } else {
        const account = { userId, accountId: userId, providerId: "credential", password: hashed.value };
        await internalAdapter.linkAccount(account);
      }
      await internalAdapter.deleteUserSessions(userId);
      return { outcome: "ok" };
    },

    async chooseOrganization(session, organizationId) {
      const { internalAdapter } = await (await library()).$context;
      await internalAdapter.updateSession(session.token, { activeOrganizationId: organizationId });
    },

    async signOut(asker) {
      const auth = await library();
      await endSession(auth, asker);
      const { headers } = await auth.api.signOut({ headers: headersOf(asker), returnHeaders: true });
      return headers.getSetCookie();
    },
  };
}

/** After a sign-in: the session that the browser came with, and those of the person that have expired. */
async function endSessionsBehind(auth: AccountsLibrary, asker: Asker, userId: string): Promise<void> {
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
async function endSession(auth: AccountsLibrary, asker: Asker): Promise<void> {
  const found = await auth.api.getSession({ headers: headersOf(asker), query: { disableRefresh: true } });
  const { internalAdapter } = await auth.$context;
  if (found) await internalAdapter.deleteSession(found.session.token);
}

function headersOf(asker: Asker): Headers {
  return new Headers({
    cookie: asker.cookie,
    "user-agent": asker.userAgent,
    [CLIENT_ADDRESS_HEADER]: asker.clientAddress,
  });
}

function sessionOf({
  session,
  user,
}: {
  session: { id: string; token: string; activeOrganizationId?: string | null };
  user: { id: string; name: string; email: string };
}): Session {
  return {
    id: session.id,
    token: session.token,
    userId: user.id,
    name: user.name,
    email: user.email,
    organizationId: session.activeOrganizationId ?? null,
  };
}

/** Every 4xx of the library means the same to who guesses; what is our own trouble stays an error. */
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
