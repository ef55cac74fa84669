/** What is mutated, which is only the code for money, keys and the URL guard, and which tests should protect it. */
export type Area = {
  readonly name: string;
  readonly files: readonly string[];
  /** Groups are run in turn until one fails. A file's own test comes before all of them. */
  readonly tests: readonly (readonly string[])[];
};

const inFolder = (folder: string, names: string): string[] =>
  names.split(" ").map((name) => `${folder}/${name}.ts`);
const testsIn = (folder: string, names: string): string[] =>
  names.split(" ").map((name) => `${folder}/${name}.test.ts`);
const functions = (names: string): string[] =>
  names.split(" ").map((name) => `gateway/sql/functions/${name}.sql`);

/** The tests that notice soonest come first. */
const LEDGER_TESTS = [
  [
    ...testsIn(
      "gateway/src/ledger",
      "edges rates-and-repeats neighbours grants single-call ledger debt-first refunded-month corrections",
    ),
    ...testsIn("gateway/src/admission", "admit admit-job"),
  ],
  [
    ...testsIn(
      "gateway/src/ledger",
      "lease/lease-edges clock-steps sweeper sweep-reads partitions partitions-zone passed-over lease/lease settle-media second-holds measured clock-jumps undo-expiries",
    ),
    ...testsIn("gateway/src/billing", "billing"),
  ],
  testsIn("gateway/src/ledger", "hostile many-nodes single-races single-twins"),
];

const PLAN_TESTS = [
  [
    ...testsIn("gateway/src/ledger", "grants edges"),
    ...testsIn("gateway/src/billing", "paid-period plan-start next-periods billing"),
    "gateway/src/usage/standing.test.ts",
  ],
  testsIn(
    "gateway/src/billing/stripe",
    "plan-neighbours plans running-month lost-first-report reversals ended-early packs end-replaced",
  ),
  testsIn("gateway/src/billing/stripe", "months-equal-invoices top-ups-equal-payments"),
];

export const AREAS: readonly Area[] = [
  { name: "credits", files: ["gateway/src/kit/credits.ts"], tests: [] },
  {
    name: "prices",
    files: [
      ...inFolder(
        "gateway/src/catalog",
        "rate cost quote text-price media-cost measured price-rule frozen-price credits-saved believable-usage",
      ),
      // Identifies a price rule by its bytes.
      "gateway/src/kit/json/canonical-json.ts",
    ],
    tests: [
      testsIn("gateway/src/catalog", "rate cost quote media-cost measured price-rule believable-usage"),
      ["gateway/src/generation/video/cost.test.ts"],
    ],
  },
  {
    name: "ledger",
    files: inFolder(
      "gateway/src/ledger",
      "account by-organization grants ledger single-store media-store settlement-values store sweeper lease/lease lease/lease-store partition-store passed-over",
    ),
    tests: LEDGER_TESTS,
  },
  {
    name: "ledger-sql",
    files: [
      ...functions(
        "account_is_sound append_entry balance_standing entry_hash expire_due open_account save_account",
      ),
      ...functions(
        "ledger_account ledger_adjust ledger_grant ledger_renew ledger_undo_expiry lock_account pay_debt",
      ),
      ...functions(
        "hold_amount ledger_admit ledger_admit_one ledger_refuse_job orphaned_holds give_back_second_hold",
      ),
      ...functions("clock_offset expected_at expecting time_is_believed wrong_expiries"),
      ...functions("id_at make_request_partitions lease_acquire lease_leave lease_renew refuse_change"),
    ],
    tests: LEDGER_TESTS,
  },
  {
    name: "media-sql",
    files: functions("publish_assets ledger_admit_job"),
    tests: [
      ["gateway/src/admission/admit-job.test.ts", "gateway/src/jobs/video-end.test.ts"],
      testsIn("gateway/src/ledger", "settle-media second-holds"),
      [
        ...testsIn("gateway/src/jobs", "video-jobs video-worker video-faults"),
        "gateway/src/assets/library.test.ts",
      ],
      ["test/faults/video-endings.test.ts"],
    ],
  },
  {
    name: "measured-sql",
    files: functions("ledger_settle ledger_settle_one ledger_settle_media ledger_end_job"),
    tests: [
      ["gateway/src/ledger/measured.test.ts"],
      ...LEDGER_TESTS,
      ["gateway/src/jobs/video-end.test.ts"],
      testsIn("gateway/src/jobs", "video-jobs video-worker video-faults"),
      ...PLAN_TESTS,
    ],
  },
  {
    name: "plans-sql",
    files: functions("end_paid_subscription open_next_period open_period"),
    tests: PLAN_TESTS,
  },
  {
    name: "balances-told-sql",
    files: functions("tell_balances"),
    tests: [["gateway/src/outbox"]],
  },
  {
    name: "money-over-time-sql",
    files: functions(
      "lease_end_expired open_paid_period pay_debt_of_month reverse_payment start_subscription",
    ),
    tests: [...LEDGER_TESTS, ...PLAN_TESTS],
  },
  {
    name: "endings",
    files: [
      ...inFolder(
        "gateway/src/generation/paid-call",
        "paid-call call-settlement settle-surely failure refusal",
      ),
      ...inFolder("gateway/src/generation", "answer/overspend-guard chat-price prompt/sent-input video/cost"),
    ],
    tests: [
      [
        ...testsIn("gateway/src/generation", "unseen-thinking paid-call/learned-outcome"),
        "test/endpoints/chat.test.ts",
      ],
      ["test/faults/provider-endings.test.ts", "test/faults/late-success.test.ts"],
    ],
  },
  {
    name: "keys",
    files: [
      "gateway/src/kit/hash.ts",
      "gateway/src/kit/id.ts",
      ...inFolder("gateway/src/identity/keys", "key-codec mint-request keys"),
      ...inFolder("gateway/src/identity/authentication", "bearer key-guard network authenticator"),
      "gateway/src/identity/scopes.ts",
    ],
    tests: [
      testsIn("gateway/src/identity/keys", "key-codec mint-request key-bounds keys"),
      testsIn("gateway/src/identity/authentication", "authenticator revocation bearer key-guard network"),
    ],
  },
  {
    name: "url-guard",
    files: inFolder(
      "gateway/src/outbound/public",
      "public-address public-body public-failure public-fetch public-resolve public-url",
    ),
    tests: [testsIn("gateway/src/outbound/public", "public-address public-url public-fetch")],
  },
];
