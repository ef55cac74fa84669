import { type AttackGroup, row } from "./row.ts";

const OLD_LINKS = "src/http/console/api/old-links.test.ts";
const GUARD = "src/http/console/api/command-guard.test.ts";
const SIGN_IN = "src/http/console/api/sign-in.test.ts";
const READS = "src/http/console/api/reads.test.ts";
const CSV = "src/http/console/api/usage-csv.test.ts";
const PAGES = "src/http/console/console.test.ts";
const PACKS = "src/billing/stripe/packs.test.ts";
const PARKED = "test/attacks/parked-commands.test.ts";
const CANARIES = "test/attacks/canaries.test.ts";

export const CONSOLE: AttackGroup = {
  name: "H. Console",
  rows: [
    row(
      "forged commands (CSRF)",
      [GUARD, "%s changes nothing, whichever it is"],
      [GUARD, "by GET is no command, and a form cannot send one"],
    ),
    row(
      "one-time links from old logs and mailboxes",
      [OLD_LINKS, "does not outlive a first password, nor a changed one"],
      [OLD_LINKS, "does not outlive signing out everywhere, and that of somebody else does"],
      [OLD_LINKS, "links that are redeemed while their person signs out everywhere leave nobody inside"],
    ),
    row(
      "scripts in names, prompts and file names",
      [
        "test/browser/members.test.ts",
        "names of people and organizations are text, never markup, wherever they stand",
      ],
      ["test/browser/keys.test.ts", "names are text, never markup, and long ones break nothing on a phone"],
      [
        "test/browser/library.test.ts",
        "older ones come as one scrolls, each once, and prompts are text wherever they stand",
      ],
      ["test/endpoints/library.test.ts", "sends headers that keep a hostile file harmless"],
    ),
    row("inline scripts, framing, content sniffing, caching", [
      PAGES,
      "forbids inline and foreign scripts and styles, frames, sniffing, caching and referrers to others",
    ]),
    row(
      "session fixation, cookie flags",
      [SIGN_IN, "opens a session of its own, whatever session or cookie the browser came with"],
      [
        SIGN_IN,
        "sets cookies that scripts cannot read, that stay on our paths, and that plain http never carries",
      ],
    ),
    row("a session cookie used after sign-out", [
      SIGN_IN,
      "ends the session on the server: the cookie is worth nothing afterwards",
    ]),
    row(
      "a command whose body is held back until its sender is signed out, removed or demoted",
      [PARKED, "%s of who is %s"],
      [PARKED, "a command that nobody may send is refused before its body is read"],
    ),
    row(
      "open redirects",
      [
        "test/browser/sign-in.test.ts",
        "who signs in arrives where they wanted to go, and only at pages of ours",
      ],
      [PAGES, "of another name of this machine leads to the public address, and nowhere else"],
    ),
    row("a key shown a second time", ["src/http/console/api/keys.test.ts", "is shown once and never again"]),
    row(
      "formulas in exported CSV files",
      [
        "src/http/console/api/csv-line.test.ts",
        "what is written is what is read, whatever it is, and never begins a formula",
      ],
      ["test/browser/usage.test.ts", "is exported as it is filtered, and no cell is a formula"],
    ),
    row("unknown fields in commands (mass assignment)", [
      GUARD,
      "with a field that it does not know is refused: nobody assigns what they were not asked for",
    ]),
    row(
      "hundreds of reads or commands at once; keys created and discarded endlessly",
      [READS, "one seat that reads hundreds of reports at once is told to wait, and nobody else"],
      [READS, "one person who sends hundreds of commands at once is told to wait, and nobody else"],
      [
        "src/identity/keys/key-bounds.test.ts",
        "people can discard five hundred keys a day, and the operator can create any number",
      ],
    ),
    row(
      "many exports at once",
      [CSV, "one person has two exports at a time, and one that ends or is left makes room"],
      [CSV, "all exports together read two pages at a time"],
    ),
    row("two admins who change the same setting at once", [
      "src/http/console/api/settings.test.ts",
      "of two admins at once, the second one is told what the first one wrote, and can insist",
    ]),
    row("stack traces in error pages", [PAGES, "by our own fault gives a reference and nothing else away"]),
    row(
      "guessing passwords, and which email addresses have an account",
      [SIGN_IN, "is slowed for who guesses, by account and by address, and a link still lets the owner in"],
      [SIGN_IN, "tells nobody which addresses have an account"],
    ),
  ],
};

export const PAYMENTS: AttackGroup = {
  name: "I. Payments",
  rows: [
    row("the test checkout, reached through a proxy", ["src/config/local-only.test.ts", "%s"]),
    row("a missing or empty webhook secret", [
      "src/config/payments.test.ts",
      "with … stop the start with the setting's name and no secret",
    ]),
    row(
      "Stripe events with a wrong signature, an altered body or an old timestamp",
      [PACKS, "a report with an invalid signature grants nothing"],
      [
        "src/http/webhooks/stripe-webhook.test.ts",
        "without a signature, with a wrong one, by another method",
      ],
    ),
    row("a hundred copies of one event", [
      PACKS,
      "is granted once for a hundred concurrent copies of the report",
    ]),
    row(
      "events out of order",
      [
        "src/billing/stripe/plans.test.ts",
        "ends with the plan that was bought last when reports come in the wrong order",
      ],
      [
        "src/billing/stripe/top-ups-equal-payments.test.ts",
        "credits less debt equal payments less reversals and spending, for any reports, order and crashes",
      ],
    ),
    row("a payment whose amount, currency or organization differs from its order", [
      PACKS,
      "a payment that differs from its order is refused and raises an alert",
    ]),
    row("the success page, opened without paying", [
      "src/http/console/api/billing.test.ts",
      "leads to Stripe; coming back without having paid shows an order that waits",
    ]),
  ],
};

export const OPERATIONS: AttackGroup = {
  name: "J. Operations",
  rows: [
    row(
      "line breaks and terminal escapes in the log",
      ["src/telemetry/log.test.ts", "is one JSON object on one line, whatever the fields contain"],
      ["src/telemetry/log.test.ts", "escapes each character that would break it or control a terminal"],
      [CANARIES, "in no log, at its most talkative, and every line of it is one JSON object"],
    ),
    row(
      "canary keys, prompts and replies that turn up in metrics, error replies or a database dump",
      [CANARIES, "in no metric"],
      [CANARIES, "in no refusal"],
      [CANARIES, "in no dump of the database"],
    ),
    row("a wrong setting", [
      "src/config/config.test.ts",
      "config: an invalid setting stops the start and is named",
    ]),
    row("a kill during a migration", [
      "src/db/migrate.test.ts",
      "a file whose process is killed is rolled back, and the next start applies it",
    ]),
    row(
      "an unhandled rejection, an uncaught error",
      [CANARIES, "a rejection that nobody handles ends the process at once, and says so without its secrets"],
      [CANARIES, "an error that nobody catches does the same"],
    ),
  ],
};
