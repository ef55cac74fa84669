import type { Config } from "../../config.ts";
import { type Check, fine, warning } from "./check.ts";

/** How credits are paid and who can be written to. Shapes only: nothing is asked of Stripe, no letter is sent. */
export function checkPayments(config: Config): Check[] {
  return [checkStripe(config), checkMail(config)];
}

function checkStripe(config: Config): Check {
  const isProduction = config.environment === "production";
  if (config.stripe === null) {
    if (config.testCheckout) return fine("payments", "the test checkout, which takes no money");
    const found = "none: credits are granted by the operator alone";
    return isProduction
      ? fine("payments", found)
      : warning("payments", found, "Set BURSAR_TEST_CHECKOUT=true to try it.");
  }
  const isTestKey = /^(sk|rk)_test_/.test(config.stripe.secretKey);
  if (isProduction && isTestKey) {
    return warning(
      "payments",
      "Stripe with a test key: its test cards buy real credits",
      "Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET to those of the live mode.",
    );
  }
  if (isProduction && !config.publicUrl.startsWith("https://")) {
    return warning(
      "payments",
      "Stripe reports payments over https only",
      "Set BURSAR_PUBLIC_URL to the https address that the world sees.",
    );
  }
  const webhook = `${config.publicUrl}/webhooks/stripe`;
  return fine("payments", `Stripe${isTestKey ? " (test mode)" : ""}, reports to ${webhook}`);
}

function checkMail({ mail }: Config): Check {
  if (mail === null) return fine("mail", "none is sent: links and notices are shown in the console only");
  const { protocol, hostname } = new URL(mail.url);
  return fine("mail", `through ${hostname}${protocol === "smtps:" ? " (TLS)" : ""}, from ${mail.from}`);
}
