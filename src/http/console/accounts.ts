import { createGate, type Gate } from "../gate.ts";
import {
  type AccountsLibrary,
  type LibraryOptions,
  openLibrary,
  sessionCookieName,
} from "./accounts-library.ts";
import type { Asker, Session } from "./accounts-session.ts";
import { endSession, endSessionsBehind, headersOf, sessionOf } from "./accounts-session.ts";

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
  hasPassword(userId: string): Promise<boolean>;
  chooseOrganization(session: Session, organizationId: string): Promise<void>;
  /** Ended on the server; the browser's cookies are only tidied up. */
  signOut(asker: Asker): Promise<readonly string[]>;
};

/**
 * Checking a password takes 32 MB and tens of milliseconds of a core, on purpose. A crowd at the sign-in
 * form must not take both away from paid calls.
 */
const PASSWORD_GATE = { slots: 2, maxWaiting: 32, maxWaitMs: 10_000 };

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

  return {
    cookieName: sessionCookieName(options.publicUrl),

    async currentSession(asker) {
      const { api } = await library();
      const { response, headers } = await api.getSession({ headers: headersOf(asker), returnHeaders: true });
      return { session: response && sessionOf(response), cookies: headers.getSetCookie() };
    },

    async signIn(asker, credentials) {
      const auth = await library();
      const signedIn = await throughGate(gate, () =>
        auth.api
          .signInEmail({ body: credentials, headers: headersOf(asker), returnHeaders: true })
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
      const request = { body: { userId }, headers: headersOf(asker), returnHeaders: true } as const;
      const { response, headers } = await auth.api.openSession(request);
      if (!response) return null;
      await endSessionsBehind(auth, asker, userId);
      return { session: sessionOf(response), cookies: headers.getSetCookie() };
    },

    async choosePassword(session, password) {
      const auth = await library();
      const { password: passwords } = await auth.$context;
      const hashed = await throughGate(gate, () => passwords.hash(password));
      return hashed.outcome === "busy" ? hashed : savePassword(auth, session, hashed.value);
    },

    async hasPassword(userId) {
      const { internalAdapter } = await (await library()).$context;
      return (await internalAdapter.findCredentialAccount(userId)) !== null;
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

type Gated<T> = { readonly outcome: "done"; readonly value: T } | { readonly outcome: "busy" };

async function throughGate<T>(gate: Gate, work: () => Promise<T>): Promise<Gated<T>> {
  const leave = await gate.enter().catch(() => null);
  if (leave === null) return { outcome: "busy" };
  try {
    return { outcome: "done", value: await work() };
  } finally {
    leave();
  }
}

async function savePassword(
  auth: AccountsLibrary,
  { userId, token }: Session,
  hash: string,
): Promise<{ outcome: "ok" | "gone" }> {
  const { internalAdapter, adapter } = await auth.$context;
  const usedUp = await adapter.deleteMany({ model: "session", where: [{ field: "token", value: token }] });
  if (usedUp === 0) return { outcome: "gone" };
  if (await internalAdapter.findCredentialAccount(userId)) {
    await internalAdapter.updatePassword(userId, hash);
  } else {
    const account = { userId, accountId: userId, providerId: "credential", password: hash };
    await internalAdapter.linkAccount(account);
  }
  await internalAdapter.deleteUserSessions(userId);
  return { outcome: "ok" };
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
