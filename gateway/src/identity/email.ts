import { z } from "zod";
import { type Invalid, refuse } from "./refusal.ts";

export const MAX_EMAIL_CHARS = 254;
/** The same rule as at sign-in: an address accepted here can be used there. */
const EMAIL = z.email();

/** Lower case, as in the accounts library, so that a person has one row. */
export function parseEmail(text: string): { outcome: "ok"; email: string } | Invalid {
  const email = text.length > MAX_EMAIL_CHARS ? "" : text.trim().toLowerCase();
  return EMAIL.safeParse(email).success ? { outcome: "ok", email } : refuse("email", "an email address");
}
