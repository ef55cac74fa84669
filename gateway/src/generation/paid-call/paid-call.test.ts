import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../../test/ledger-books.ts";
import { ledgerRows } from "../../../../test/ledger-rows.ts";
import { admissionOf, releaseOf } from "../../../../test/paid-items.ts";
import type { AdmissionCall } from "../../admission/index.ts";
import { AppError, armFailpoint, credits, systemClock } from "../../kit/index.ts";
import { settleAll } from "../../ledger/store.ts";
import { noopSpan, type Span, silentLog } from "../../telemetry/index.ts";
import { createPaidCall, type StartedCall } from "./paid-call.ts";
import type { PaidCall } from "./paid-call-input.ts";
import type { Produced } from "./produced.ts";
import { createRunningCalls } from "./running-calls.ts";
import { createSureSettler, type SureSettler } from "./settle-surely.ts";

/** Every way in which a paid call begins and ends, on the real ledger. */

const books = await openLedgerBooks();
const { db, found, balance } = books;
afterAll(() => books.database.drop());

type Outcome = { readonly text: string };

let orgId: string;
let seen: string[];
let running: ReturnType<typeof createRunningCalls>;
let elapsedMs: number;
/** The fields of logged errors. */
let logged: (Record<string, unknown> | undefined)[];
beforeEach(async () => {
  logged = [];
  orgId = await found(100);
  seen = [];
  running = createRunningCalls();
  elapsedMs = 1_000;
});

function starter(changes: { admitter?: typeof books.admitter; settler?: SureSettler } = {}) {
  const clock = { ...systemClock, elapsedMs: () => elapsedMs };
  return createPaidCall({
    admitter: books.admitter,
    settler: createSureSettler({
      ledger: books.ledger,
      log: silentLog,
      clock: systemClock,
      giveUpAfterMs: 30_000,
    }),
    running,
    metrics: {
      ended: (_, status, charged) => seen.push(`${status} ${charged}`),
      refused: (_, outcome) => seen.push(`refused ${outcome}`),
      writtenOff: (amount) => seen.push(`written off ${amount}`),
      disbelieved: () => seen.push("disbelieved"),
    },
    log: {
      ...silentLog,
      error(event, fields) {
        seen.push(`log ${event}`);
        logged.push(fields);
      },
    },
    clock,
    ...changes,
  });
}

/** Records which steps were ended, and how. */
function spanThatTells(): Span {
  return {
    ...noopSpan,
    child: (name) => ({ ...noopSpan, end: (error) => void seen.push(`${name} ${error ?? "ok"}`) }),
  };
}

function paidCall(amount: number, changes: Partial<AdmissionCall> = {}, span: Span = noopSpan): PaidCall {
  return { admission: admissionOf(orgId, amount, changes), priceRuleId: "rule", timeoutMs: 60_000, span };
}

function made(cost: number): Produced<Outcome> {
  return {
    outcome: { text: "hi" },
    cost: credits(cost),
    measured: null,
    inputTokens: 11,
    outputTokens: 7,
    tokensSaved: 3,
    target: "t",
  };
}

/** The fields by which a log line identifies the call. */
function namesOf({ admission: { requestId, model } }: PaidCall): Record<string, unknown> {
  return { request_id: requestId, org_id: orgId, model, target: "t" };
}

async function begin(call: PaidCall, start = starter()): Promise<StartedCall<Outcome>> {
  const begun = await start<Outcome>(call);
  if (begun.kind !== "started") throw new Error("a replay");
  return begun.call;
}

async function requestRow(): Promise<unknown> {
  return (await ledgerRows(db, orgId))["requests"]?.[0];
}

const errorOf = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => null,
    (error) => error,
  ) as Promise<AppError>;

describe("a call that succeeds", () => {
  test("is charged, recorded and counted, and returns its charge and the balance", async () => {
    const call = paidCall(10);
    const started = await begin(call);
    expect(Number(started.granted)).toBe(10);
    expect(started.rate).toMatchObject({ limit: call.admission.requestsPerMinute });
    expect([await balance(orgId), running.count]).toEqual(["0+0 90+10", 1]);
    elapsedMs = 1_250.4;
    expect(await started.succeed(made(4))).toEqual({
      requestId: call.admission.requestId,
      replayed: false,
      outcome: { text: "hi" },
      creditsCharged: credits(4),
      balance: { subscription: credits(0), anytime: credits(96) },
      rate: started.rate,
    });
    expect([await balance(orgId), running.count]).toEqual(["0+0 96+0", 0]);
    expect(seen).toEqual(["succeeded 4"]);
    expect(await requestRow()).toMatchObject({
      status: "succeeded",
      input_tokens: 11,
      output_tokens: 7,
      tokens_saved: 3,
      latency_ms: 250,
      error_code: null,
      price_rule: "rule",
      target: "t",
    });
  });

  test("pays from both pools, and returns the sum of both charges", async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    await books.ledger.grant(books.grantOf(orgId, 3, { pool: "subscription", expiresAt }));
    const paid = await (await begin(paidCall(10))).succeed(made(5));
    expect(Number(paid.creditsCharged)).toBe(5);
    expect(paid.balance).toEqual({ subscription: credits(0), anytime: credits(98) });
  });

  test("has its cost beyond twice its hold written off, which is logged and counted", async () => {
    const call = paidCall(10);
    const paid = await (await begin(call)).succeed(made(25));
    expect(Number(paid.creditsCharged)).toBe(20);
    expect(seen).toEqual(["log credits_written_off", "written off 5", "succeeded 20"]);
    expect(logged).toEqual([{ ...namesOf(call), credits: credits(5), outcome: "settled" }]);
    seen = [];
    await (await begin(paidCall(10))).succeed(made(21));
    expect(seen).toEqual(["log credits_written_off", "written off 1", "succeeded 20"]);
  });

  test("after the sweeper has ended it is not charged, and returns a 503", async () => {
    const call = paidCall(10);
    const started = await begin(call);
    await settleAll(db, "sweeper", [releaseOf(call.admission)]);
    const error = await errorOf(started.succeed(made(4)));
    expect(error).toBeInstanceOf(AppError);
    expect([error.code, error.status, error.options.retryAfterSeconds]).toEqual(["internal_error", 503, 1]);
    expect(error.options.rate).toEqual(started.rate);
    expect([await balance(orgId), seen, running.count]).toEqual([
      "0+0 100+0",
      ["log late_success", "failed 0"],
      0,
    ]);
    expect(logged).toEqual([namesOf(call)]);
  });
});

describe("a call that ends in another way", () => {
  test("because it failed is not charged, and returns the error to show", async () => {
    const started = await begin(paidCall(10));
    elapsedMs = 1_030.6;
    const error = await started.fail(new AppError("validation_error", "no"));
    expect(error).toMatchObject({ code: "validation_error", message: "no", options: { rate: started.rate } });
    expect([await balance(orgId), seen, running.count]).toEqual(["0+0 100+0", ["failed 0"], 0]);
    expect(await requestRow()).toMatchObject({
      status: "failed",
      error_code: "validation_error",
      latency_ms: 31,
      input_tokens: 0,
      output_tokens: 0,
      tokens_saved: 0,
      target: null,
    });
  });

  test("because its client left is charged for what was delivered, as cancelled", async () => {
    const started = await begin(paidCall(10));
    started.stop();
    expect(started.stopped?.reason).toBe("client_gone");
    await started.leave(made(2));
    expect([await balance(orgId), seen, running.count]).toEqual(["0+0 98+0", ["cancelled 2"], 0]);
    expect(await requestRow()).toMatchObject({ status: "cancelled", charged_anytime: 2 });
  });

  test.each([
    [
      "that is an AppError",
      () => new AppError("internal_error", "outcome unknown", { status: 503 }),
      "outcome unknown",
    ],
    ["of any other kind", () => new Error("broken"), "outcome unknown, see request_id"],
  ])("but cannot be settled, with an error %s, is a 503 and no longer runs", async (_, make, message) => {
    const settler = { release: () => {}, settle: () => Promise.reject(make()) };
    const call = paidCall(10, {}, spanThatTells());
    const started = await begin(call, starter({ settler }));
    const error = await errorOf(started.succeed(made(4)));
    expect([error.code, error.status]).toEqual(["internal_error", 503]);
    expect(error.options.rate).toEqual(started.rate);
    expect(error.message).toContain(message);
    if (message !== "outcome unknown") expect(error.message).toContain(call.admission.requestId);
    expect([running.count, seen]).toEqual([0, ["hold ok", "provider ok", "settle internal_error"]]);
  });

  test("throws if it is ended a second time, and is not charged again", async () => {
    const started = await begin(paidCall(10));
    await started.succeed(made(4));
    await expect(started.succeed(made(4))).rejects.toThrow("ended twice");
    await expect(started.fail(new Error("x"))).rejects.toThrow("ended twice");
    await expect(started.leave(made(4))).rejects.toThrow("ended twice");
    expect(await balance(orgId)).toBe("0+0 96+0");
  });

  test("notifies its listener when it is stopped", async () => {
    const started = await begin(paidCall(10));
    const reasons: string[] = [];
    started.onStop((stopped) => reasons.push(stopped.reason));
    expect(started.stopped).toBeNull();
    running.stopAll("lease_lost");
    expect(reasons).toEqual(["lease_lost"]);
    await started.fail(new Error("stopped"));
  });
});

describe("a call that does not start", () => {
  test("for lack of credits is refused with the amounts; nothing runs, and nothing is held", async () => {
    const error = await errorOf(starter()(paidCall(101)));
    expect([error.code, error.message]).toEqual([
      "insufficient_credits",
      "Not enough credits: 101 needed, 100 available, 0 held by running calls.",
    ]);
    expect([seen, running.count, await balance(orgId)]).toEqual([["refused insufficient"], 0, "0+0 100+0"]);
  });

  test("because the admission's answer was lost is a 503, and its hold is released", async () => {
    const lost = {
      ...books.admitter,
      async admit(call: AdmissionCall): Promise<never> {
        await books.admitter.admit(call);
        throw new Error("the link was cut");
      },
    };
    const error = await errorOf(starter({ admitter: lost })(paidCall(10, {}, spanThatTells())));
    expect([error.code, error.status, error.options.retryAfterSeconds]).toEqual(["internal_error", 503, 1]);
    while ((await balance(orgId)) !== "0+0 100+0") await Bun.sleep(5);
    expect([running.count, seen]).toEqual([0, ["hold internal_error"]]);
  });

  test("because of a fault after its hold has the hold released", async () => {
    const disarm = armFailpoint("after_hold_commit", () => {
      throw new Error("fault");
    });
    try {
      expect(await errorOf(starter()(paidCall(10)))).toBeInstanceOf(AppError);
    } finally {
      disarm();
    }
    expect([await balance(orgId), running.count]).toEqual(["0+0 100+0", 0]);
  });
});

describe("a repeat", () => {
  const idempotency = { key: "k", fingerprint: new Uint8Array(32) };

  test("returns the first call's reply, charge and balance, and runs nothing", async () => {
    const first = paidCall(10, { idempotency });
    await (await begin(first)).succeed(made(4));
    expect(await starter()(paidCall(10, { idempotency }))).toEqual({
      kind: "replay",
      paid: {
        requestId: first.admission.requestId,
        replayed: true,
        outcome: { text: "hi" },
        creditsCharged: credits(4),
        balance: { subscription: credits(0), anytime: credits(96) },
        rate: expect.objectContaining({ limit: expect.any(Number) }),
      },
    });
    expect(running.count).toBe(0);
  });

  test.each([
    [1024 * 1024, true],
    [1024 * 1024 + 1, false],
  ])("of a call with a reply of %d characters returns it: %p", async (length, isKept) => {
    const text = "a".repeat(length - JSON.stringify({ text: "" }).length);
    await (await begin(paidCall(10, { idempotency }))).succeed({ ...made(4), outcome: { text } });
    const again = starter()<Outcome>(paidCall(10, { idempotency }));
    if (isKept) expect(await again).toMatchObject({ kind: "replay", paid: { outcome: { text } } });
    else expect((await errorOf(again)).message).toContain("too large to keep");
    expect(running.count).toBe(0);
  });

  test("of a call whose client left is a 409", async () => {
    await (await begin(paidCall(10, { idempotency }))).leave(made(4));
    expect((await errorOf(starter()(paidCall(10, { idempotency })))).status).toBe(409);
  });
});

test("each step has a span that ends with its outcome", async () => {
  await (await begin(paidCall(10, {}, spanThatTells()))).succeed(made(4));
  await (await begin(paidCall(10, {}, spanThatTells()))).fail(new AppError("validation_error", "no"));
  expect(seen.filter((each) => !/\d/.test(each))).toEqual([
    "hold ok",
    "provider ok",
    "settle ok",
    "hold ok",
    "provider validation_error",
    "settle ok",
  ]);
});

test("an admission that rejects with an AppError passes that error on, and nothing is released", async () => {
  const busy = new AppError("internal_error", "Too many calls wait.", { status: 503 });
  const settler: SureSettler = {
    settle: () => Promise.reject(new Error("never")),
    release: () => void seen.push("released"),
  };
  const start = starter({ settler, admitter: { ...books.admitter, admit: () => Promise.reject(busy) } });
  expect(await errorOf(start(paidCall(10)))).toBe(busy);
  expect([seen, running.count]).toEqual([[], 0]);
});
