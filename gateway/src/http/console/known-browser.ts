import { newId, sign, verifySignature } from "../../kit/index.ts";
import { isSecure } from "./accounts/accounts-package.ts";
import type { Ask } from "./ask.ts";
import { encodeCookie } from "./cookies.ts";

/** Remembers in a browser that it has signed in to an account, so that strangers' guesses do not lock it out. */
export type KnownBrowsers = {
  remember(ask: Ask, email: string): void;
  /** The browser's own name if it has signed in to this account before. It gives no access to anything. */
  find(ask: Ask, email: string): string | null;
};

const PURPOSE = "console-known-browser";
const COOKIE = "bursar.known_browser";
const LIFETIME_SECONDS = 365 * 24 * 3600;

export function createKnownBrowsers(options: { secret: string; publicUrl: string }): KnownBrowsers {
  const { secret, publicUrl } = options;

  function find(ask: Ask, email: string): string | null {
    const [id = "", signature = ""] = (ask.cookies.get(COOKIE) ?? "").split(".");
    const payload = `${id}.${email}`;
    return verifySignature({ secret, purpose: PURPOSE, payload, signature }) ? id : null;
  }

  return {
    find,
    remember(ask, email) {
      if (find(ask, email) !== null) return;
      const id = newId();
      const value = `${id}.${sign(secret, PURPOSE, `${id}.${email}`)}`;
      const secure = isSecure(publicUrl);
      ask.setCookies([encodeCookie({ name: COOKIE, value, maxAgeSeconds: LIFETIME_SECONDS, secure })]);
    },
  };
}
