import { describe, expect, test } from "bun:test";
import { inspectConfig } from "../app/settings.ts";
import { readNotices } from "./schema.ts";

const KEY = "sk_live_canary0123456789";
const SECRET = "whsec_canary0123456789";
const SMTP = "smtps://bursar:canary0123@mail.example.com:465";
const production = { BURSAR_ENV: "production", BURSAR_SECRET: "x".repeat(40) };

const inspect = (env: Record<string, string>) => inspectConfig(env, "/nonexistent");

describe("the Stripe settings", () => {
  test("are complete with a key and a webhook secret", () => {
    const { config, problems } = inspect({ STRIPE_SECRET_KEY: KEY, STRIPE_WEBHOOK_SECRET: SECRET });
    expect(problems).toEqual([]);
    expect(config.stripe).toEqual({ secretKey: KEY, webhookSecret: SECRET, apiUrl: null });
    expect(inspect({}).config.stripe).toBeNull();
  });

  test("name the right prefixes for a wrong one, and the rest for a right one", () => {
    const problemsOf = (key: string) =>
      inspect({ STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: SECRET }).problems;
    expect(problemsOf("sk_test_123")).toEqual([
      "STRIPE_SECRET_KEY: must have 8 to 300 letters and digits after sk_test_, as Stripe made it, without spaces or line breaks",
    ]);
    expect(problemsOf("pk_live_0123456789")[0]).toContain("rk_live_…");
    expect(problemsOf("rk_live_0123456789")).toEqual([]);
  });

  const wrong: [string, Record<string, string>, string][] = [
    ["only a key", { STRIPE_SECRET_KEY: KEY }, "STRIPE_WEBHOOK_SECRET"],
    [
      "a key and an empty secret",
      { STRIPE_SECRET_KEY: KEY, STRIPE_WEBHOOK_SECRET: "" },
      "STRIPE_WEBHOOK_SECRET",
    ],
    ["only a secret", { STRIPE_WEBHOOK_SECRET: SECRET }, "STRIPE_SECRET_KEY"],
    [
      "a publishable key",
      { STRIPE_SECRET_KEY: "pk_live_canary0123456", STRIPE_WEBHOOK_SECRET: SECRET },
      "STRIPE_SECRET_KEY",
    ],
    [
      "a line break in the key",
      { STRIPE_SECRET_KEY: `${KEY}\n`, STRIPE_WEBHOOK_SECRET: SECRET },
      "STRIPE_SECRET_KEY",
    ],
    ["a blank secret", { STRIPE_SECRET_KEY: KEY, STRIPE_WEBHOOK_SECRET: "   " }, "STRIPE_WEBHOOK_SECRET"],
    [
      "a secret of another kind",
      { STRIPE_SECRET_KEY: KEY, STRIPE_WEBHOOK_SECRET: "canary" },
      "STRIPE_WEBHOOK_SECRET",
    ],
    [
      "STRIPE_API_URL in production",
      {
        ...production,
        STRIPE_SECRET_KEY: KEY,
        STRIPE_WEBHOOK_SECRET: SECRET,
        STRIPE_API_URL: "http://127.0.0.1",
      },
      "STRIPE_API_URL",
    ],
  ];
  for (const [name, env, setting] of wrong) {
    test(`with ${name} stop the start with the setting's name and no secret`, () => {
      const { problems } = inspect(env);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toStartWith(`${setting}: `);
      expect(problems[0]).not.toContain("canary");
    });
  }
});

describe("the mail settings", () => {
  test("are complete with a server and a sender", () => {
    for (const from of ["bursar@example.com", "Bursar <bursar@example.com>"]) {
      const { config, problems } = inspect({ SMTP_URL: SMTP, MAIL_FROM: from });
      expect(problems).toEqual([]);
      expect(config.mail).toEqual({ url: SMTP, from });
    }
    expect(inspect({}).config.mail).toBeNull();
  });

  const wrong: [string, Record<string, string>, string][] = [
    ["only a server", { SMTP_URL: SMTP }, "MAIL_FROM"],
    ["only a sender", { MAIL_FROM: "a@b.c" }, "SMTP_URL"],
    ["a web address", { SMTP_URL: "https://canary@mail.example.com", MAIL_FROM: "a@b.c" }, "SMTP_URL"],
    ["no address", { SMTP_URL: "canary", MAIL_FROM: "a@b.c" }, "SMTP_URL"],
    ["two senders", { SMTP_URL: SMTP, MAIL_FROM: "a@b.c, d@e.f" }, "MAIL_FROM"],
    ["a header in the sender", { SMTP_URL: SMTP, MAIL_FROM: "A\r\nBcc: x <a@b.c>" }, "MAIL_FROM"],
  ];
  for (const [name, env, setting] of wrong) {
    test(`with ${name} stop the start with the setting's name and no secret`, () => {
      const { problems } = inspect(env);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toStartWith(`${setting}: `);
      expect(problems[0]).not.toContain("canary");
    });
  }
});

test("notices have their documented defaults", () => {
  expect(inspect({}).config.notices).toEqual({
    lowBalancePercent: 10,
    lowBalanceCredits: 1_000,
    expiryDays: 3,
  });
});

test.each(["low_balance_percent", "low_balance_credits", "expiry_days"])(
  "%s of the notices takes whole numbers only",
  (key) => {
    const taken = [5, 5.5, "5", true].filter((value) => {
      const problems: string[] = [];
      readNotices({ [key]: value }, problems);
      return problems.length === 0;
    });
    expect(taken).toEqual([5]);
  },
);
