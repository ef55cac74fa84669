import { isDatabaseAway } from "../../../db/index.ts";
import { sign } from "../../../kit/index.ts";
import type { Log } from "../../../telemetry/index.ts";
import type { AccountsPool } from "./accounts-pool.ts";

export type LibraryOptions = { pool: AccountsPool["pool"]; publicUrl: string; secret: string; log: Log };

export const MIN_PASSWORD_CHARS = 10;
export const MAX_PASSWORD_CHARS = 128;
/** Limit of what can be typed where a password is asked for: longer input is not even compared. */
export const MOST_TYPED_CHARS = 1_000;

const SESSION_SECONDS = 7 * 24 * 60 * 60;
/** How precisely people see when each of their sessions was last used; every refresh is a write. */
const SESSION_REFRESH_SECONDS = 10 * 60;
const COOKIE_PREFIX = "bursar";
/** Set by us alone: the library never gets the client's requests, only headers that we made. */
export const CLIENT_ADDRESS_HEADER = "x-bursar-client-address";

export function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith("https:");
}

/** Lets us see that a visitor has no session without loading the library. */
export function sessionCookieName(publicUrl: string): string {
  return `${isSecure(publicUrl) ? "__Secure-" : ""}${COOKIE_PREFIX}.session_token`;
}

/**
 * better-auth, configured. Imported only here, and only when the first session is needed: a gateway whose console is
 * never opened does not pay for it. Its HTTP routes are not mounted anywhere.
 */
export async function openLibrary({ pool, publicUrl, secret, log }: LibraryOptions) {
  const [{ betterAuth }, { createAuthEndpoint }, { setSessionCookie }, { organization }, { z }] =
    await Promise.all([
      import("better-auth"),
      import("better-auth/api"),
      import("better-auth/cookies"),
      import("better-auth/plugins/organization"),
      import("zod"),
    ]);

  /** Opens a session for someone who has proved their identity by other means; null if there is no such person. */
  const openSession = createAuthEndpoint.serverOnly(
    { method: "POST", body: z.object({ userId: z.string() }), requireHeaders: true },
    async (context) => {
      const { internalAdapter } = context.context;
      const user = await internalAdapter.findUserById(context.body.userId);
      if (!user) return null;
      const session = await internalAdapter.createSession(user.id);
      await setSessionCookie(context, { session, user });
      return { session, user };
    },
  );

  return betterAuth({
    appName: "Bursar",
    database: pool,
    baseURL: publicUrl,
    basePath: "/console/accounts",
    // Derived key: nothing that the library signs can pass for something that we signed.
    secret: sign(secret, "accounts-library", "1"),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_CHARS,
      maxPasswordLength: MAX_PASSWORD_CHARS,
    },
    session: {
      expiresIn: SESSION_SECONDS,
      updateAge: SESSION_REFRESH_SECONDS,
      cookieCache: { enabled: false },
    },
    plugins: [
      organization({ allowUserToCreateOrganization: false }),
      { id: "bursar-sessions", endpoints: { openSession } },
    ],
    advanced: {
      database: { generateId: "uuid" },
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: isSecure(publicUrl),
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: "/console" },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    telemetry: { enabled: false },
    logger: {
      level: "error",
      // The arguments after the message may contain database rows, so only an outage of the database is logged.
      log(level, message, ...behind: unknown[]) {
        const away = behind.find(isDatabaseAway);
        const why = away === undefined ? {} : { error: String(away) };
        log.warn("accounts_library", { severity: level, message, ...why });
      },
    },
  });
}

export type AccountsLibrary = Awaited<ReturnType<typeof openLibrary>>;
