/**
 * What an upstream can do to us, end to end, each time in both forms and with the ledger read afterwards:
 *
 * | it is or does                                    | test                                               |
 * | ------------------------------------------------ | -------------------------------------------------- |
 * | refused, unreachable                             | upstream-away                                      |
 * | silent                                           | silent, slow-headers, headers-only, stall          |
 * | slow drip                                        | drip, split; without an end: trickle               |
 * | 200 with HTML, with an error object              | html, error-object, empty-body, too-deep, …        |
 * | a first event that is an error                   | first-error, late-error                            |
 * | empty, comment-only and [DONE]-only streams      | empty, comments, done-only, no-finish              |
 * | malformed SSE: mid-character, CR only, 50 MB line | split, cr-only, crlf, bom, malformed, long-line    |
 * | endless streams                                  | endless, endless-comments, endless-json; upstream-size |
 * | reset at every byte                              | upstream-cuts; reset-at, close-at                  |
 * | open after the end of its answer                 | stays-open                                         |
 * | a second [DONE], data after it, two usage chunks | done-twice, after-done, usage-twice, two-answers   |
 * | wrong Content-Length                             | short-length, long-length, length-off              |
 * | 429 with absurd Retry-After                      | "Retry-After" below, 429                           |
 * | 401                                              | 401                                                |
 * | a key, host or id in what it says                | leak, 401, and every failing row                   |
 * | redirects                                        | redirect:3xx, "is not followed"                    |
 * | usage that is wrong, or missing                  | usage:*; in the caller's wire: uncounted-replies   |
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { ANSWER_TEXT } from "../upstream/chat-wire.ts";
import { type MisbehavingUpstream, startMisbehavingUpstream } from "../upstream/misbehaving-upstream.ts";
import { askJson, type ChatAsk, FORMS, leaveAfter, type Seen, seeJson, seeStream } from "./chat-client.ts";
import { expectEnding } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { modelOf, settingsFor, UPSTREAM_KEY } from "./upstream-models.ts";

const CREDITS = 100_000;
/** What the upstream reports for a good answer: 11 tokens in, 9 out, one credit each. */
const REPORTED = 20;

/** Odd, but a valid answer: charged as reported. */
const GOOD = [
  "ok",
  "json-anyway",
  "split",
  "drip:0",
  "cr-only",
  "crlf",
  "bom",
  "no-done",
  "no-blank-line",
  "done-twice",
  "after-done",
  "usage-twice",
  "gzip",
  "stays-open",
  "stays-open:20",
];
/** Implausible counts: our estimate is charged, and the operator is alerted. */
const DISBELIEVED = ["negative", "string", "huge", "fraction", "contradictory"].map(
  (kind) => `usage:${kind}`,
);
const UNREPORTED = ["usage:missing", "usage:null", "usage:empty"];
const REDIRECTS = [301, 302, 303, 307, 308].map((status) => `redirect:${status}`);
/** By the status of the JSON form. */
const BAD: Readonly<Record<number, readonly string[]>> = {
  400: ["leak:400", "overflow", "overflow:429"],
  502: [
    ...[
      "close",
      "reset",
      "garbage",
      "huge-headers",
      "html",
      "error-object",
      "empty-body",
      "not-json",
      "too-deep",
    ],
    ...[
      "wrong-shape",
      "first-error",
      "late-error",
      "empty",
      "comments",
      "done-only",
      "malformed",
      "no-finish",
    ],
    ...["usage:nan", "long-line", "short-length", "long-length", "length-off:-30", "endless-json"],
    ...["gzip-bomb", "401", "leak:500", "status:503"],
    ...REDIRECTS,
    ...[0, 1, 100, 300, 700, 1_000, 2_000].map((bytes) => `reset-at:${bytes}`),
    ...[0, 300, 700, 2_000].map((bytes) => `close-at:${bytes}`),
  ],
  503: ["429", "429:7"],
  504: ["silent", "slow-headers", "headers-only", "stall", "endless-comments"],
};
/** Waits that a provider may ask for and nobody should obey. */
const ABSURD_WAITS = ["99999999999", "-5", "1e400", "NaN", "soon", "Wed, 21 Oct 2099 07:28:00 GMT"];
const LEAVING = ["chunks:40:5", "biller/chunks:40:5"];
const MODELS = [
  ...ABSURD_WAITS.map((wait) => `429:${wait}`),
  ...GOOD,
  ...DISBELIEVED,
  ...UNREPORTED,
  ...Object.values(BAD).flat(),
  ...LEAVING,
  "usage:zero",
  "endless",
  "trickle",
  "length-off:50",
  "two-answers",
];
/** Faults that only a timeout ends. */
const ENDED_BY_US: ReadonlySet<string> = new Set([
  ...(BAD[504] ?? []),
  "trickle",
  "stays-open",
  "stays-open:20",
]);
const SECRETS =
  /sk-|canary|127\.0\.0\.1|upstream-host|cluster\.internal|10\.1\.2\.3|req_|org-Q|Bearer|tok_secret/;

let upstream: MisbehavingUpstream;
const settings: SettingsFile[] = [];
/** Its timeouts are never reached, however busy the machine. */
let patient: TestGateway;
/** With short timeouts, for faults that only a timeout ends. */
let hasty: TestGateway;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  upstream = await startMisbehavingUpstream();
  patient = await start({});
  hasty = await start({ connect_ms: 200, first_byte_ms: 200, idle_ms: 200, call_ms: 700 });
});
afterAll(async () => {
  await patient.close();
  await hasty.close();
  await upstream.close();
  for (const file of settings) file.remove();
});

async function start(timeouts: Record<string, number>): Promise<TestGateway> {
  const file = writeSettings(settingsFor(upstream.baseUrl, MODELS, { timeouts }));
  settings.push(file);
  return startTestGateway(file.environment);
}

async function ask(model: string, more: Partial<ChatAsk> = {}): Promise<ChatAsk> {
  gateway = ENDED_BY_US.has(model) ? hasty : patient;
  own = await gateway.found({ credits: CREDITS });
  return { origin: gateway.origin, of: own, model: modelOf(model), content: "hello there", ...more };
}

function endedAs(requestId: string, ending: Parameters<typeof expectEnding>[2]) {
  return expectEnding(gateway.database.db, { orgId: own.id, requestId, creditsBefore: CREDITS }, ending);
}

function expectNoSecret(seen: Seen): void {
  expect(JSON.stringify(seen.body)).not.toMatch(SECRETS);
  expect(seen.text).not.toContain(UPSTREAM_KEY);
}

function disbelieved(): number {
  return Number(/^bursar_usage_disbelieved_total (\d+)/m.exec(gateway.services.metrics.render())?.[1] ?? 0);
}

for (const [form, see] of FORMS) {
  describe(`${form}: an upstream with an odd but valid answer is charged as it reports`, () => {
    for (const model of GOOD) {
      test(model, async () => {
        const seen = await see(await ask(model));
        expect([seen.ended, seen.body["finish_reason"], seen.body["credits_charged"]]).toEqual([
          "done",
          "stop",
          REPORTED,
        ]);
        expect(seen.text).toBe(ANSWER_TEXT);
        await endedAs(seen.requestId, { status: "succeeded", charged: REPORTED });
      });
    }

    test("reported zero usage charges the minimum price per request", async () => {
      const seen = await see(await ask("usage:zero"));
      await endedAs(seen.requestId, { status: "succeeded", charged: 1 });
    });
  });

  describe(`${form}: implausible usage is replaced by our estimate, with an alert`, () => {
    for (const model of DISBELIEVED) {
      test(model, async () => {
        const before = disbelieved();
        const seen = await see(await ask(model));
        const row = await endedAs(seen.requestId, { status: "succeeded" });
        expect([seen.ended, seen.body["credits_charged"], disbelieved() - before]).toEqual([
          "done",
          row.charged,
          1,
        ]);
        expect(row.charged).toBe(row.input_tokens + row.output_tokens);
        expect(row.output_tokens).toBeGreaterThan(0);
        expect(row.charged).toBeLessThan(100);
      });
    }
    for (const model of UNREPORTED) {
      test(`${model} is charged by our estimate, without an alert`, async () => {
        const before = disbelieved();
        const seen = await see(await ask(model));
        const row = await endedAs(seen.requestId, { status: "succeeded" });
        expect([row.charged, disbelieved() - before]).toEqual([row.input_tokens + row.output_tokens, 0]);
      });
    }
  });

  for (const [status, models] of Object.entries(BAD)) {
    describe(`${form}: an upstream that fails (${status}) costs nothing and reveals no secrets`, () => {
      for (const model of models) {
        test(model, async () => {
          const seen = await see(await ask(model));
          expect([seen.ended, seen.status]).toEqual(["error", form === "JSON" ? Number(status) : 200]);
          expectNoSecret(seen);
          const errorCode = status === "400" ? "validation_error" : "internal_error";
          await endedAs(seen.requestId, { status: "failed", charged: 0, errorCode });
        });
      }
    });
  }
}

describe("an endless answer", () => {
  test("is cut past max_tokens, and charged at most twice its hold", async () => {
    const seen = await seeStream(await ask("endless", { maxTokens: 10 }));
    expect([seen.ended, seen.body["finish_reason"]]).toEqual(["done", "length"]);
    const row = await endedAs(seen.requestId, { status: "succeeded" });
    expect(seen.body["credits_charged"]).toBe(row.charged);
    expect(row.charged).toBeLessThanOrEqual(2 * row.held);
    expect(row.charged + row.written_off).toBe(row.input_tokens + row.output_tokens);
    expect(row.output_tokens).toBeLessThan(400);
  });

  test("that arrives slowly is cut at the call's time limit, and what came is charged", async () => {
    const seen = await seeStream(await ask("trickle"));
    expect([seen.ended, seen.body["finish_reason"]]).toEqual(["done", "length"]);
    expect(seen.text).toStartWith("more more ");
    const row = await endedAs(seen.requestId, { status: "succeeded" });
    expect([seen.body["credits_charged"], row.charged]).toEqual([
      row.charged,
      row.input_tokens + row.output_tokens,
    ]);
    expect(row.output_tokens).toBeWithin(1, 40);
  });

  // In one piece, it must be delivered whole or not at all.
  test.each([
    ["endless", 502],
    ["trickle", 504],
  ])("is an error for a JSON call and costs nothing: %s, %i", async (model, status) => {
    const before = upstream.received.length;
    const seen = await seeJson(await ask(model, { maxTokens: 1 }));
    expect(seen.status).toBe(status);
    await upstream.closed(before);
    await endedAs(seen.requestId, { status: "failed", charged: 0, errorCode: "internal_error" });
  });
});

for (const [form, see] of FORMS) {
  test(`${form}: a second, unrequested answer on a connection reaches no client`, async () => {
    for (let turn = 0; turn < 3; turn++) {
      const seen = await see(await ask("two-answers"));
      expect([seen.ended, seen.text]).toEqual(["done", ANSWER_TEXT]);
      await endedAs(seen.requestId, { status: "succeeded", charged: REPORTED });
    }
  });
}

describe("a Content-Length beyond the body", () => {
  test("of a JSON reply is an error and costs nothing", async () => {
    const seen = await seeJson(await ask("length-off:50", { maxTokens: 10 }));
    expect(seen.status).toBe(502);
    await endedAs(seen.requestId, { status: "failed", charged: 0, errorCode: "internal_error" });
  });

  test("of a stream that has sent [DONE] changes nothing", async () => {
    const seen = await seeStream(await ask("length-off:50"));
    expect([seen.ended, seen.text]).toEqual(["done", ANSWER_TEXT]);
    await endedAs(seen.requestId, { status: "succeeded", charged: REPORTED });
  });
});

test.each(ABSURD_WAITS)(
  "a provider's Retry-After: %s becomes at most a minute for our client",
  async (wait) => {
    const response = await askJson(await ask(`429:${wait}`));
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeWithin(0, 61);
    await endedAs(response.headers.get("x-request-id") ?? "", {
      status: "failed",
      charged: 0,
      errorCode: "internal_error",
    });
  },
);

test("a redirect is not followed", async () => {
  for (const model of REDIRECTS) {
    const before = upstream.received.length;
    await seeJson(await ask(model));
    const paths = upstream.received.slice(before).map(({ path }) => path);
    expect([model, ...new Set(paths)]).toEqual([model, "/v1/chat/completions"]);
  }
});

describe("a client that disconnects from a stream", () => {
  test("of a provider that stops: the upstream connection is closed, and what was delivered is charged", async () => {
    const before = upstream.received.length;
    const requestId = await leaveAfter(await ask("chunks:40:5"), "event: content");
    await upstream.closed(before);
    await gateway.services.running.idle();
    const row = await endedAs(requestId, { status: "cancelled" });
    expect(row.charged).toBe(row.input_tokens + row.output_tokens);
    expect(row.output_tokens).toBeLessThan(40);
  });

  test("of a provider that bills anyway: it is read to its end and charged as reported", async () => {
    const requestId = await leaveAfter(await ask("biller/chunks:40:5"), "event: content");
    await gateway.services.running.idle();
    await endedAs(requestId, { status: "succeeded", charged: 11 + 40 });
  });
});
