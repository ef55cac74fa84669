import type { EnvReader } from "./env.ts";

export type StripeConfig = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** URL of a fake for tests; null for the real Stripe. */
  readonly apiUrl: string | null;
};

/** How a secret begins and what follows; together they describe all of it. */
type Form = { readonly start: RegExp; readonly rest: RegExp; readonly looks: string };

const SECRET_KEY: Form = {
  start: /^(?:sk|rk)_(?:live|test)_/,
  rest: /^[A-Za-z0-9]{8,300}$/,
  looks: "sk_live_…, sk_test_…, rk_live_… or rk_test_…",
};
const WEBHOOK_SECRET: Form = { start: /^whsec_/, rest: /^[A-Za-z0-9+/=]{8,300}$/, looks: "whsec_…" };

/** Null unless both are set. One alone is a wrong setting: it would take money and grant nothing, or trust anybody. */
export function readStripe(reader: EnvReader, production: boolean): StripeConfig | null {
  const secretKey = matching(reader, "STRIPE_SECRET_KEY", SECRET_KEY);
  const webhookSecret = matching(reader, "STRIPE_WEBHOOK_SECRET", WEBHOOK_SECRET);
  const apiUrl = reader.httpUrl("STRIPE_API_URL");
  if (apiUrl !== null && production) reader.wrong("STRIPE_API_URL", "must not be set in production");
  reader.together("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET");
  return secretKey === null || webhookSecret === null ? null : { secretKey, webhookSecret, apiUrl };
}

/** Like `reader.matching`, but the value is never shown. */
function matching(reader: EnvReader, name: string, { start, rest, looks }: Form): string | null {
  const given = reader.text(name);
  if (given === null) return null;
  const [begun] = start.exec(given) ?? [];
  if (begun !== undefined && rest.test(given.slice(begun.length))) return given;
  const wrong =
    begun === undefined
      ? `look like ${looks}`
      : `have 8 to 300 letters and digits after ${begun}, as Stripe made it`;
  reader.wrong(name, `must ${wrong}, without spaces or line breaks`);
  return null;
}
