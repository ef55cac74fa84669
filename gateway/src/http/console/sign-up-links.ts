import { type Clock, sign, verifySignature } from "../../kit/index.ts";

export type WantedSignUp = { readonly email: string; readonly name: string; readonly organization: string };

/**
 * A sign-up request, sent to the address that the stranger gave: nothing is stored until someone comes back with the
 * link, so strangers cannot fill the database. It works once, since afterwards the address has an account.
 */
type SignUpLinks = {
  create(wanted: WantedSignUp): string;
  /** Null if we did not sign it, or if it has expired. */
  read(token: string): WantedSignUp | null;
};

const PURPOSE = "console-sign-up";
const LIFETIME_MS = 24 * 60 * 60 * 1000;
const MAX_TOKEN_CHARS = 4_000;

type Payload = WantedSignUp & { readonly expiresAtMs: number };

export function createSignUpLinks({ secret, clock }: { secret: string; clock: Clock }): SignUpLinks {
  return {
    create({ email, name, organization }) {
      const payload: Payload = { email, name, organization, expiresAtMs: clock.nowMs() + LIFETIME_MS };
      const text = Buffer.from(JSON.stringify(payload)).toString("base64url");
      return `${text}.${sign(secret, PURPOSE, text)}`;
    },
    read(token) {
      const [text = "", signature = ""] = token.length > MAX_TOKEN_CHARS ? [] : token.split(".");
      if (!verifySignature({ secret, purpose: PURPOSE, payload: text, signature })) return null;
      const payload = JSON.parse(Buffer.from(text, "base64url").toString()) as Payload;
      return clock.nowMs() < payload.expiresAtMs ? payload : null;
    },
  };
}
