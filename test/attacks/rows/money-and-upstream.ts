import { type AttackGroup, row } from "./row.ts";

const ENDINGS = "test/faults/upstream-endings.test.ts";
const SENT = "test/attacks/sent-bodies.test.ts";
const SSE = "gateway/src/outbound/sse-events.test.ts";
const VIDEO = "gateway/src/jobs/video-jobs.test.ts";

export const MONEY: AttackGroup = {
  name: "F. Money",
  rows: [
    row(
      "races across keys, interfaces and processes",
      [
        "test/faults/races.test.ts",
        "of k concurrent calls on c credits, over two processes and three keys, exactly min(k, c) succeed (… rounds)",
      ],
      [
        "test/endpoints/same-decision.test.ts",
        "for credits: of concurrent calls, exactly as many are served as the credits cover",
      ],
    ),
    row(
      "one `Idempotency-Key` sent a hundred times, or with a different body",
      [
        "test/endpoints/chat.test.ts",
        "a hundred concurrent copies are charged once, and a later one gets the same reply",
      ],
      ["test/endpoints/chat.test.ts", "a different body under the same key is a conflict"],
    ),
    row("a large stored reply, requested again by hundreds at once", [
      "gateway/src/admission/admit.test.ts",
      "kept replies are read separately from admissions, and concurrent repeats share a read",
    ]),
    row(
      "fields that change the provider's bill, in other cases and with escapes, in bodies that are sent in pieces",
      [SENT, "a field without a price is not sent, however it is written: %s"],
      [SENT, "a cache mark is sent for the priced lifetime at most, however it is written: %s"],
      [SENT, "a name that is given twice is refused, and nothing is sent: %j"],
      [SENT, "long bodies of calls at the same time are sent as they came, never mixed, whole or in chunks"],
      [
        "gateway/src/providers/openai-wire/written-body.test.ts",
        "means the same in the caller's bytes as written anew",
      ],
    ),
    row("a retry after a crash", [
      "test/faults/process-death.test.ts",
      "…, at …: the sweeper ends its hold after the lease, and a retry is charged once or replayed",
    ]),
    row(
      "reported usage that is negative, not a number, absurd or missing",
      [
        "gateway/src/catalog/believable-usage.test.ts",
        "that is %s is disbelieved as a whole and replaced by the estimate",
      ],
      [ENDINGS, "…: implausible usage is replaced by our estimate, with an alert"],
    ),
    row("a settlement above its hold", [
      "gateway/src/ledger/single-call.test.ts",
      "charges a cost above the hold up to one more hold and writes off the rest",
    ]),
    row(
      "credits, plan periods and keys that expire at that very moment",
      ["gateway/src/ledger/single-races.test.ts", "first expires a period that ended during the wait"],
      [
        "gateway/src/usage/balance-view.test.ts",
        "a period that has just ended is expired in the first view that reads it",
      ],
      [
        "gateway/src/identity/authentication/authenticator.test.ts",
        "follows the database's clock, also for cached keys",
      ],
    ),
    row("a month's credits granted twice", [
      "gateway/src/billing/billing.test.ts",
      "concurrent runs on several nodes grant each organization its month once",
    ]),
    row("fifty clients polling a video job as it completes", [
      "test/faults/video-endings.test.ts",
      "fifty concurrent pollers see the same end, with one charge, and no result fields before it",
    ]),
    row("a video job that its provider reports as failed, then as succeeded", [
      VIDEO,
      "that failed costs nothing, and a later success changes nothing",
    ]),
    row(
      "a stream that outgrows its hold",
      [ENDINGS, "is cut past max_tokens, and charged at most twice its hold"],
      [
        "gateway/src/generation/answer/overspend-guard.test.ts",
        "cuts an endless answer of %s at most an eighth beyond its allowance",
      ],
    ),
    row("a refund of credits that are already spent", [
      "gateway/src/billing/stripe/reversals.test.ts",
      "of spent credits becomes a debt, which the next top-up pays first",
    ]),
    row(
      "negative or absurd prices in the catalog",
      ["gateway/src/catalog/load/load-catalog.test.ts", "an invalid setting refuses to load and is named"],
      ["gateway/src/catalog/rate.test.ts", "%p is refused"],
    ),
  ],
};

export const UPSTREAM: AttackGroup = {
  name: "G. Upstream",
  rows: [
    row(
      "upstreams that refuse connections, are unreachable, stay silent or trickle",
      ["test/faults/upstream-away.test.ts", "a host that does not answer connections"],
      [ENDINGS, "that arrives slowly is cut at the call's time limit, and what came is charged"],
    ),
    row("HTML, error objects, an error as the first event, empty streams", [
      ENDINGS,
      "…: an upstream that fails (…) costs nothing and reveals no secrets",
    ]),
    row(
      "malformed events, 50 MB lines, endless streams",
      [SSE, "a line of 50 MB fails at the limit, and the connection is closed"],
      ["gateway/src/kit/sse.test.ts", "however the bytes are split"],
    ),
    row("a connection reset at every byte", [
      "test/faults/upstream-cuts.test.ts",
      "…: an upstream cut at any byte either delivers the full answer and is charged, or costs nothing",
    ]),
    row(
      "a second `[DONE]`, data after it, two usage reports, a wrong `Content-Length`",
      [ENDINGS, "…: an upstream with an odd but valid answer is charged as it reports"],
      [ENDINGS, "a Content-Length beyond the body"],
    ),
    row("an absurd `Retry-After`", [
      ENDINGS,
      "a provider's Retry-After: %s becomes at most a minute for our client",
    ]),
    row(
      "keys, hosts and ids in a provider's error; a provider's 401 passed on to the client",
      [
        "gateway/src/outbound/failures/failure-of.test.ts",
        "keys, hosts, addresses and ids appear neither in the message nor in the log",
      ],
      ["test/attacks/canaries.test.ts", "in no error reply"],
    ),
    row("redirects", [ENDINGS, "a redirect is not followed"]),
    row("media URLs that point to internal addresses", [
      "gateway/src/providers/queues/fal.test.ts",
      "an image URL that points inside is the vendor's failure: %s",
    ]),
    row("an unknown status of a video job", [
      VIDEO,
      "shows the provider's states, and an unknown one as running",
    ]),
  ],
};
