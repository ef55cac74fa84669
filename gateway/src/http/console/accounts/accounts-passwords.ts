import { createGate, type Gate } from "../../../kit/index.ts";
import type { AccountsLibrary } from "./accounts-package.ts";
import type { AccountsPool } from "./accounts-pool.ts";
import type { Asker, OpenedSession, Session } from "./accounts-session.ts";
import { lockPerson } from "./accounts-store.ts";

/** What people sign in with. `busy`: too many passwords are being checked at the moment. */
export type Passwords = {
  has(userId: string): Promise<boolean>;
  /** Hashes a first password before its account exists; `keepFirst` stores it once there is one. */
  prepare(password: string): Promise<{ outcome: "ok"; hash: string } | { outcome: "busy" }>;
  keepFirst(userId: string, hash: string): Promise<void>;
  /**
   * Uses up this session, ends the person's other sessions and one-time links, sets the password and opens a new
   * session: all of it or nothing. `gone`: the session was already used up or ended, so of two requests with the same
   * session only one sets a password.
   */
  choose(asker: Asker, session: Session, password: string): Promise<ChosenPassword>;
  /** The same for a person who knows the current password. */
  change(
    asker: Asker,
    session: Session,
    passwords: { current: string; password: string },
  ): Promise<ChosenPassword | { readonly outcome: "wrong" }>;
};

type ChosenPassword =
  | { readonly outcome: "ok"; readonly cookies: readonly string[] }
  | { readonly outcome: "gone" }
  | { readonly outcome: "busy" };

/** Ends a person's one-time links; none can be created or used until the transaction of `client` ends. */
export type EndLinks = (
  client: Parameters<Parameters<AccountsPool["together"]>[0]>[0],
  userId: string,
) => Promise<void>;

type PasswordParts = {
  library(): Promise<AccountsLibrary>;
  gate: Gate;
  together: AccountsPool["together"];
  endLinks: EndLinks;
  reopenSession(asker: Asker, ended: Session): Promise<OpenedSession | null>;
};

/**
 * Checking a password takes 32 MB and tens of milliseconds of a core, on purpose. A crowd at the sign-in form must not
 * take these away from paid calls.
 */
const PASSWORD_GATE = { slots: 2, maxWaiting: 32, maxWaitMs: 10_000 };

export function createPasswordGate(): Gate {
  return createGate(PASSWORD_GATE);
}

export function createPasswords(parts: PasswordParts): Passwords {
  const { library, gate, together, endLinks, reopenSession } = parts;

  async function hashOf(password: string) {
    const { password: passwords } = await (await library()).$context;
    return throughGate(gate, () => passwords.hash(password));
  }

  async function choose(asker: Asker, session: Session, password: string): Promise<ChosenPassword> {
    const hashed = await hashOf(password);
    if (hashed.outcome === "busy") return hashed;
    const auth = await library();
    return together(async (client) => {
      await lockPerson(client, session.userId);
      if (!(await savePassword(auth, session, hashed.value))) return { outcome: "gone" };
      await endLinks(client, session.userId);
      const opened = await reopenSession(asker, session);
      return { outcome: "ok", cookies: opened?.cookies ?? [] };
    });
  }

  return {
    async has(userId) {
      const { internalAdapter } = await (await library()).$context;
      return (await internalAdapter.findCredentialAccount(userId)) !== null;
    },
    async prepare(password) {
      const hashed = await hashOf(password);
      return hashed.outcome === "busy" ? hashed : { outcome: "ok", hash: hashed.value };
    },
    async keepFirst(userId, hash) {
      await keep(await library(), userId, hash);
    },
    choose,
    async change(asker, session, { current, password }) {
      const { internalAdapter, password: passwords } = await (await library()).$context;
      const hash = (await internalAdapter.findCredentialAccount(session.userId))?.password;
      if (!hash) return { outcome: "wrong" };
      const checked = await throughGate(gate, () => passwords.verify({ hash, password: current }));
      if (checked.outcome === "busy") return checked;
      return checked.value ? choose(asker, session, password) : { outcome: "wrong" };
    },
  };
}

type Gated<T> = { readonly outcome: "done"; readonly value: T } | { readonly outcome: "busy" };

export async function throughGate<T>(gate: Gate, work: () => Promise<T>): Promise<Gated<T>> {
  const leave = await gate.enter().catch(() => null);
  if (leave === null) return { outcome: "busy" };
  try {
    return { outcome: "done", value: await work() };
  } finally {
    leave();
  }
}

/** False if the session is gone. */
async function savePassword(
  auth: AccountsLibrary,
  { userId, token }: Session,
  hash: string,
): Promise<boolean> {
  const { internalAdapter, adapter } = await auth.$context;
  const usedUp = await adapter.deleteMany({ model: "session", where: [{ field: "token", value: token }] });
  if (usedUp === 0) return false;
  await keep(auth, userId, hash);
  await internalAdapter.deleteUserSessions(userId);
  return true;
}

async function keep(auth: AccountsLibrary, userId: string, hash: string): Promise<void> {
  const { internalAdapter } = await auth.$context;
  if (await internalAdapter.findCredentialAccount(userId)) {
    await internalAdapter.updatePassword(userId, hash);
  } else {
    const account = { userId, accountId: userId, providerId: "credential", password: hash };
    await internalAdapter.linkAccount(account);
  }
}
