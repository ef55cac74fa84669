import { type AttackGroup, row } from "./row.ts";

const OLD_LINKS = "gateway/src/http/console/api/old-links.test.ts";
const GUARD = "gateway/src/http/console/api/command-guard.test.ts";
const SIGN_IN = "gateway/src/http/console/api/sign-in.test.ts";
const READS = "gateway/src/http/console/api/reads.test.ts";
const CSV = "gateway/src/http/console/api/usage-csv.test.ts";
const PAGES = "gateway/src/http/console/console.test.ts";
const PACKS = "gateway/src/billing/stripe/packs.test.ts";
const PARKED = "test/attacks/parked-commands.test.ts";
const CANARIES = "test/attacks/canaries.test.ts";

export const CONSOLE: AttackGroup = {
  name: "H. Console",
  rows: [
    row(
      "forged commands (CSRF)",
      [GUARD, "%s is 403 and changes nothing, for every command"],
      [GUARD, "is 404 as GET and 415 as a form, and changes nothing"],
    ),
    row(
      "one-time links from old logs and mailboxes",
      [OLD_LINKS, "stops working when a first password is set, or the password is changed"],
      [OLD_LINKS, "stops working when its person signs out everywhere; links of others still work"],
      [OLD_LINKS, "a link that is redeemed while its person signs out everywhere leaves no session"],
    ),
    row(
      "scripts in names, prompts and file names",
      [
        "test/browser/members.test.ts",
        "names of users and organizations are shown as text, never as markup, on every page",
      ],
      ["test/browser/keys.test.ts", "names are shown as text, never as markup, and long ones fit a phone"],
      [
        "test/browser/library.test.ts",
        "older files load on scrolling, each once, and prompts are shown as text, never as markup",
      ],
      ["test/endpoints/library.test.ts", "sends headers that keep a hostile file harmless"],
    ),
    row("inline scripts, framing, content sniffing, caching", [
      PAGES,
      "forbids inline and foreign scripts and styles, frames, sniffing, caching and foreign referrers",
    ]),
    row(
      "session fixation, cookie flags",
      [SIGN_IN, "opens a new session, whatever session or cookie the browser had"],
      [SIGN_IN, "sets cookies that are HttpOnly, limited to /console, SameSite, and Secure on https"],
    ),
    row("a session cookie used after sign-out", [
      SIGN_IN,
      "ends the session on the server: its cookie is no longer accepted",
    ]),
    row(
      "a command whose body is held back until its sender is signed out, removed or demoted",
      [PARKED, "%s by a user who is %s"],
      [PARKED, "a command without a session or token is refused before its body is read"],
    ),
    row(
      "open redirects",
      ["test/browser/sign-in.test.ts", "a URL that names a foreign address never leads away from our origin"],
      [PAGES, "redirects from another name of this machine to the public address, and from no other host"],
    ),
    row("a key shown a second time", [
      "gateway/src/http/console/api/keys.test.ts",
      "is shown once, and is neither returned nor stored in plain text afterwards",
    ]),
    row(
      "formulas in exported CSV files",
      ["gateway/src/operations/csv.test.ts", "any cells are read back as written, and none starts a formula"],
      ["test/browser/usage.test.ts", "is exported as CSV, and no cell is a formula"],
    ),
    row("unknown fields in commands (mass assignment)", [
      GUARD,
      "with an unknown field is refused and changes nothing",
    ]),
    row(
      "hundreds of reads or commands at once; keys created and discarded endlessly",
      [READS, "one person with hundreds of concurrent reports gets 429; colleagues and commands do not"],
      [
        READS,
        "one person with hundreds of concurrent commands gets 429; colleagues, reads and sign-out do not",
      ],
      [
        "gateway/src/identity/keys/key-bounds.test.ts",
        "people can discard five hundred keys a day, and the operator can create any number",
      ],
    ),
    row(
      "many exports at once",
      [CSV, "one person may have two exports at a time; one that ends or is cancelled frees its place"],
      [CSV, "all exports together read at most two pages at a time"],
    ),
    row("two admins who change the same setting at once", [
      "gateway/src/http/console/api/settings.test.ts",
      "changed by two admins: the second gets a conflict with the first change, and can overwrite it",
    ]),
    row("stack traces in error pages", [PAGES, "is 500 with a reference and no details, if it is our fault"]),
    row(
      "guessing passwords, and which email addresses have an account",
      [SIGN_IN, "is limited for guesses by address and account; neither keeps the owner out elsewhere"],
      [SIGN_IN, "does not reveal which addresses have an account"],
    ),
  ],
};

export const PAYMENTS: AttackGroup = {
  name: "I. Payments",
  rows: [
    row("the test checkout, reached through a proxy", ["gateway/src/config/local-only.test.ts", "%s"]),
    row("a missing or empty webhook secret", [
      "gateway/src/config/payments.test.ts",
      "with … stop the start with the setting's name and no secret",
    ]),
    row(
      "Stripe events with a wrong signature, an altered body or an old timestamp",
      [PACKS, "a report with an invalid signature grants nothing"],
      [
        "gateway/src/http/webhooks/stripe-webhook.test.ts",
        "without a signature, with a wrong signature, or with another method",
      ],
    ),
    row("a hundred copies of one event", [
      PACKS,
      "is granted once for a hundred concurrent copies of the report",
    ]),
    row(
      "events out of order",
      [
        "gateway/src/billing/stripe/plans.test.ts",
        "ends with the plan that was bought last when reports come in the wrong order",
      ],
      [
        "gateway/src/billing/stripe/top-ups-equal-payments.test.ts",
        "credits less debt equal payments less reversals and spending, for any reports, order and crashes",
      ],
    ),
    row("a payment whose amount, currency or organization differs from its order", [
      PACKS,
      "a payment that differs from its order is refused and raises an alert",
    ]),
    row("the success page, opened without paying", [
      "gateway/src/http/console/api/billing.test.ts",
      "redirects to Stripe; until Stripe reports the payment, the order is open and nothing is granted",
    ]),
  ],
};

export const OPERATIONS: AttackGroup = {
  name: "J. Operations",
  rows: [
    row(
      "line breaks and terminal escapes in the log",
      ["gateway/src/telemetry/log.test.ts", "is one JSON object on one line, whatever the fields contain"],
      [
        "gateway/src/telemetry/log.test.ts",
        "escapes each character that would break it or control a terminal",
      ],
      [CANARIES, "in no log line, and every line is one JSON object"],
    ),
    row(
      "canary keys, prompts and replies that turn up in metrics, error replies or a database dump",
      [CANARIES, "in no metric"],
      [CANARIES, "in no error reply"],
      [CANARIES, "in no table of the database"],
    ),
    row("a wrong setting", [
      "gateway/src/config/config.test.ts",
      "config: an invalid setting stops the start and is named",
    ]),
    row("a kill during a migration", [
      "gateway/src/db/migrate.test.ts",
      "an upgrade whose process is killed leaves everything as it was, and the next start makes it",
    ]),
    row(
      "an unhandled rejection, an uncaught error",
      [CANARIES, "an unhandled rejection ends the process, and its last log line says so without secrets"],
      [CANARIES, "an uncaught error ends the process, and its last log line says so without secrets"],
    ),
  ],
};
