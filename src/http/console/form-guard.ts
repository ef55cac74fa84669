import { randomBytes } from "node:crypto";
import { sign, verifySignature } from "../../kit/index.ts";
import { isSecure } from "./accounts-library.ts";
import type { Session } from "./accounts-session.ts";
import type { Ask } from "./ask.ts";
import { encodeCookie } from "./cookies.ts";
import type { Form } from "./form.ts";

/**
 * Only our own pages may change anything: the browser must say that the form was sent from our origin,
 * and the form must carry a token that only a page made for this session, or this visitor, contains.
 */
export type FormGuard = {
  isFromOurOrigin(headers: Headers): boolean;
  /** For forms before a session. Remembers the visitor by a cookie that lives for an hour. */
  visitorToken(ask: Ask): string;
  sessionToken(session: Session): string;
  acceptsVisitor(ask: Ask, form: Form): boolean;
  acceptsSession(session: Session, form: Form): boolean;
};

export const FORM_TOKEN = "form_token";

const PURPOSE = "console-form";
const VISITOR_COOKIE = "bursar.visitor";
const VISITOR_SECONDS = 60 * 60;
const VISITOR = /^[A-Za-z0-9_-]{32}$/;

export function createFormGuard({ secret, publicUrl }: { secret: string; publicUrl: string }): FormGuard {
  const secure = isSecure(publicUrl);

  function visitorOf(ask: Ask): string | null {
    const visitor = ask.cookies.get(VISITOR_COOKIE) ?? "";
    return VISITOR.test(visitor) ? visitor : null;
  }

  function accepts(payload: string, form: Form): boolean {
    return verifySignature({ secret, purpose: PURPOSE, payload, signature: form.field(FORM_TOKEN) });
  }

  return {
    isFromOurOrigin(headers) {
      const site = headers.get("sec-fetch-site");
      // Browsers leave the first one out on plain http; the second one they always send with a form.
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
    acceptsVisitor(ask, form) {
      const visitor = visitorOf(ask);
      return visitor !== null && accepts(`visitor:${visitor}`, form);
    },
    acceptsSession: (session, form) => accepts(`session:${session.id}`, form),
  };
}
