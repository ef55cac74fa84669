import { type Config, isLocalAddress } from "../../config/index.ts";
import { type Check, fine, warning } from "./check.ts";

/** Checks only the format of the settings: sends nothing to Stripe. */
export function checkPayments(config: Config): Check {
  const isProduction = config.environment === "production";
  if (config.stripe === null) {
    return config.testCheckout ? checkTestCheckout(config) : checkNoCheckout(config);
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
      "Set BURSAR_PUBLIC_URL to the public https address.",
    );
  }
  const webhook = `${config.publicUrl}/webhooks/stripe`;
  return fine("payments", `Stripe${isTestKey ? " (test mode)" : ""}, reports to ${webhook}`);
}

function checkTestCheckout(config: Config): Check {
  if (isLocalAddress(config)) return fine("payments", "the test checkout, which takes no money");
  return warning(
    "payments",
    "the test checkout, where others can reach it: it takes no money, and the credits are real",
    "Unset BURSAR_TEST_CHECKOUT, unless everybody who may sign in may have them.",
  );
}

function checkNoCheckout(config: Config): Check {
  const finding = "none: credits are granted by the operator alone";
  if (config.environment === "production") return fine("payments", finding);
  if (isLocalAddress(config)) return warning("payments", finding, "Set BURSAR_TEST_CHECKOUT=true to try it.");
  return warning(
    "payments",
    `${finding}; the test checkout is off by default where others can reach it`,
    "Set up Stripe, or BURSAR_TEST_CHECKOUT=true where everybody who may sign in may have credits.",
  );
}
