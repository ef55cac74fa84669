import { randomBytes } from "node:crypto";
import { sign, verifySignature } from "../../kit/index.ts";
import { isSecure } from "./accounts-library.ts";
import type { Session } from "./accounts-session.ts";
import type { Ask } from "./ask.ts";
import { encodeCookie } from "./cookies.ts";

/**
 * Only our own pages may change anything: the browser must say that the command was sent from our origin, and
 * it must carry a token that only a page of this session, or of this visitor, was given.
 */
export type CommandGuard = {
  isFromOurOrigin(headers: Headers): boolean;
  /** For commands before a session. Remembers the visitor by a cookie that lives for an hour. */
  visitorToken(ask: Ask): string;
  sessionToken(session: Session): string;
  /** The session's token where there is one, else the visitor's. */
  accepts(ask: Ask, session: Session | null, token: string): boolean;
};

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

  return {
    isFromOurOrigin(headers) {
      const site = headers.get("sec-fetch-site");
      // Browsers leave the first one out on plain http; the second one they always send with a POST.
      return (site === null || site === "same-origin") && headers.get("origin") === publicUrl;
    },
    visitorToken(ask) {
      const visitor = visitorOf(ask) ?? randomBytes(24).toString("base64url");
      ask.setCookie(
        encodeCookie({ name: VISITOR_COOKIE, value: visitor, maxAgeSeconds: VISITOR_SECONDS, secure }),
      );
      return sign(secret, PURPOSE, `visitor:${visitor}`);
    },
    sessionToken: (session) => sign(secret, PURPOSE, `session:${session.id}`),
    accepts(ask, session, token) {
      const visitor = visitorOf(ask);
      const payload = session ? `session:${session.id}` : visitor && `visitor:${visitor}`;
      return payload !== null && verifySignature({ secret, purpose: PURPOSE, payload, signature: token });
    },
  };
}
