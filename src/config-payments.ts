import type { EnvReader } from "./config-env.ts";

/** Payments through Stripe. */
export type StripeConfig = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** A stand-in for tests; null: the real one. */
  readonly apiUrl: string | null;
};

const SECRET_KEY = /^(sk|rk)_(live|test)_[A-Za-z0-9]{8,300}$/;
const WEBHOOK_SECRET = /^whsec_[A-Za-z0-9+/=]{8,300}$/;

/** Null without either. One without the other would take money and grant nothing, or believe anybody. */
export function readStripe(reader: EnvReader, production: boolean): StripeConfig | null {
  const secretKey = matching(reader, "STRIPE_SECRET_KEY", SECRET_KEY, "sk_live_… or sk_test_…");
  const webhookSecret = matching(reader, "STRIPE_WEBHOOK_SECRET", WEBHOOK_SECRET, "whsec_…");
  const apiUrl = reader.httpUrl("STRIPE_API_URL");
  if (apiUrl !== null && production) reader.wrong("STRIPE_API_URL", "must not be set in production");
  if (reader.text("STRIPE_SECRET_KEY") === null) {
    if (reader.text("STRIPE_WEBHOOK_SECRET") !== null) {
      reader.wrong("STRIPE_SECRET_KEY", "must be set where STRIPE_WEBHOOK_SECRET is");
    }
    return null;
  }
  if (reader.text("STRIPE_WEBHOOK_SECRET") === null) {
    reader.wrong("STRIPE_WEBHOOK_SECRET", "must be set where STRIPE_SECRET_KEY is");
  }
  return secretKey === null || webhookSecret === null ? null : { secretKey, webhookSecret, apiUrl };
}

/** Like `reader.matching`, but the value is never shown. */
function matching(reader: EnvReader, name: string, pattern: RegExp, looks: string): string | null {
  const given = reader.text(name);
  if (given === null || pattern.test(given)) return given;
  reader.wrong(name, `must look like ${looks}, without spaces or line breaks`);
  return null;
}
