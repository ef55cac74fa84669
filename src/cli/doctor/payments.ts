import type { Config } from "../../config/index.ts";
import { type Check, fine, warning } from "./check.ts";

/** How credits are paid. Shapes only: nothing is asked of Stripe. */
export function checkPayments(config: Config): Check {
  const isProduction = config.environment === "production";
  if (config.stripe === null) {
    if (config.testCheckout) return fine("payments", "the test checkout, which takes no money");
    const finding = "none: credits are granted by the operator alone";
    return isProduction
      ? fine("payments", finding)
      : warning("payments", finding, "Set BURSAR_TEST_CHECKOUT=true to try it.");
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
