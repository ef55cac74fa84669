import { type Clock, sign, verifySignature } from "../../kit/index.ts";
import { isSecure } from "./accounts/accounts-package.ts";
import type { Session } from "./accounts/accounts-session.ts";
import type { Ask } from "./ask.ts";
import { encodeCookie } from "./cookies.ts";

/**
 * The right to choose a password without knowing the old one: what redeeming a set-password link leaves behind. Bound
 * to the session that the link opened, which choosing a password uses up, so it works once.
 */
export type PasswordTickets = {
  give(ask: Ask, session: Session): void;
  holds(ask: Ask, session: Session): boolean;
  take(ask: Ask): void;
};

const PURPOSE = "console-password-ticket";
const COOKIE = "bursar.password_ticket";
const LIFETIME_SECONDS = 15 * 60;

type PasswordTicketOptions = { secret: string; publicUrl: string; clock: Clock };

export function createPasswordTickets({ secret, publicUrl, clock }: PasswordTicketOptions): PasswordTickets {
  const secure = isSecure(publicUrl);

  return {
    give(ask, session) {
      const expiresAtMs = clock.nowMs() + LIFETIME_SECONDS * 1000;
      const value = `${expiresAtMs}.${sign(secret, PURPOSE, `${session.id}.${expiresAtMs}`)}`;
      ask.setCookies([encodeCookie({ name: COOKIE, value, maxAgeSeconds: LIFETIME_SECONDS, secure })]);
    },
    holds(ask, session) {
      const [expiresAtMs = "", signature = ""] = (ask.cookies.get(COOKIE) ?? "").split(".");
      const payload = `${session.id}.${expiresAtMs}`;
      return (
        verifySignature({ secret, purpose: PURPOSE, payload, signature }) &&
        clock.nowMs() < Number(expiresAtMs)
      );
    },
    take(ask) {
      ask.setCookies([encodeCookie({ name: COOKIE, value: "", maxAgeSeconds: 0, secure })]);
    },
  };
}
