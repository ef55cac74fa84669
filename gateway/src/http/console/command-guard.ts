import { randomBytes } from "node:crypto";
import { sign, verifySignature } from "../../kit/index.ts";
import { isSecure } from "./accounts/accounts-package.ts";
import type { Session } from "./accounts/accounts-session.ts";
import type { Ask } from "./ask.ts";
import { encodeCookie } from "./cookies.ts";

/**
 * Only our own pages may change anything: the browser must confirm that the command was sent from our origin, and the
 * command must carry a token that only a page of this session, or of this visitor, was given. A session's token names
 * the organization that its page shows: two windows share a session, but may show different organizations.
 */
export type CommandGuard = {
  isFromOurOrigin(headers: Headers): boolean;
  /** For commands before sign-in. Remembers the visitor by a cookie that lasts an hour. */
  visitorToken(ask: Ask): string;
  sessionToken(session: Session, organizationId: string | null): string;
  /** Null unless the token belongs to this session, or to this visitor if there is no session. */
  pageOf(ask: Ask, session: Session | null): SendingPage | null;
};

/** The page that sent a request. */
type SendingPage = { readonly organizationId: string | null };

const PURPOSE = "console-command";
const VISITOR_COOKIE = "bursar.visitor";
const VISITOR_SECONDS = 60 * 60;
const VISITOR = /^[A-Za-z0-9_-]{32}$/;

export function createCommandGuard({
  secret,
  publicUrl,
}: {
  secret: string;
  publicUrl: string;
}): CommandGuard {
  const secure = isSecure(publicUrl);

  function visitorOf(ask: Ask): string | null {
    const visitor = ask.cookies.get(VISITOR_COOKIE) ?? "";
    return VISITOR.test(visitor) ? visitor : null;
  }

  function tokenFor(who: string, organizationId: string | null): string {
    const shown = organizationId ?? "";
    return `${shown}.${sign(secret, PURPOSE, `${who}:${shown}`)}`;
  }

  return {
    isFromOurOrigin(headers) {
      const site = headers.get("sec-fetch-site");
      // Browsers omit `sec-fetch-site` on plain http; they send `origin` with every POST.
      return (site === null || site === "same-origin") && headers.get("origin") === publicUrl;
    },
    visitorToken(ask) {
      const visitor = visitorOf(ask) ?? randomBytes(24).toString("base64url");
      const cookie = { name: VISITOR_COOKIE, value: visitor, maxAgeSeconds: VISITOR_SECONDS, secure };
      ask.setCookies([encodeCookie(cookie)]);
      return tokenFor(`visitor:${visitor}`, null);
    },
    sessionToken: (session, organizationId) => tokenFor(`session:${session.id}`, organizationId),
    pageOf(ask, session) {
      const visitor = visitorOf(ask);
      const who = session ? `session:${session.id}` : visitor && `visitor:${visitor}`;
      const [shown = ""] = ask.pageToken.split(".", 1);
      const payload = `${who}:${shown}`;
      const signature = ask.pageToken.slice(shown.length + 1);
      if (who === null || !verifySignature({ secret, purpose: PURPOSE, payload, signature })) return null;
      return { organizationId: shown === "" ? null : shown };
    },
  };
}
