import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createMetrics, silentLog } from "../telemetry/index.ts";
import { createMailer, type Mailer } from "./mailer.ts";
import { watchServer } from "./server-trouble.ts";
import { startTestSmtp, type TestSmtp } from "./smtp-testing.ts";

const EMAIL = { to: "ada@example.com", subject: "Hello", text: "A letter." };

let smtp: TestSmtp;
let mailer: Mailer;

beforeEach(async () => {
  smtp = await startTestSmtp();
});
afterEach(async () => {
  await mailer.close();
  smtp.stop();
});

function open(retryMs: readonly number[], query = ""): Mailer {
  mailer = createMailer({
    settings: { url: `${smtp.url}${query}`, from: "Bursar <bursar@example.com>" },
    log: silentLog,
    metrics: createMetrics(),
    pace: { retryMs, closeWaitMs: 1_000, mostWaiting: 40, emailMs: 60_000, noticeMs: 60_000 },
  });
  return mailer;
}

describe("trouble of the mail server", () => {
  test.each([
    ["HELLO", "421 restarting"],
    ["RCPT", "421 too many"],
  ] as const)("loses no email while it answers %s with %s", async (command, reply) => {
    open([1, 1]);
    let times = 0;
    smtp.decide(command, () => (++times <= 30 ? reply : undefined));
    const delivered = Array.from({ length: 8 }, (_, n) =>
      mailer.deliver({ ...EMAIL, to: `ada${n}@example.com` }),
    );
    expect(await Promise.all(delivered)).toEqual(Array(8).fill("taken"));
  });

  test("makes each wait longer, until an email was accepted", () => {
    const trouble = watchServer([1, 40]);
    const waits = Array.from({ length: 3 }, () => trouble.meet(EMAIL.to, "server") && trouble.waitMs);
    expect(waits).toEqual([1, 40, 40]);
    trouble.end();
    expect(trouble.meet(EMAIL.to, "server") && trouble.waitMs).toBe(1);
  });

  test("is over when an email was accepted", async () => {
    open([1, 60_000]);
    for (let n = 0; n < 3; n++) {
      smtp.answer("MAIL", "451 later");
      expect(await mailer.deliver(EMAIL)).toBe("taken");
    }
  });

  test.each([
    ["one by one", undefined],
    ["together", "250-test\r\n250 PIPELINING"],
  ])("with a few addresses does not delay others, with commands sent %s", async (_, hello) => {
    open([1, 60_000]);
    smtp.decide("EHLO", () => hello);
    smtp.decide("RCPT", (line) => (line.includes("ada") ? "421 not that one now" : undefined));
    for (let n = 0; n < 4; n++) void mailer.deliver({ ...EMAIL, to: `ada${n}@example.com` });
    const others = Array.from({ length: 3 }, () => mailer.deliver({ ...EMAIL, to: "grace@example.com" }));
    expect(await Promise.all(others)).toEqual(Array(3).fill("taken"));
  });

  test("with a single address counts as an attempt of its email", async () => {
    smtp.decide("RCPT", () => "421 not that one now");
    expect(await open([1, 1]).deliver(EMAIL)).toBe("lost");
    expect(smtp.connections).toBe(3);
  });

  test("from before an email was accepted says nothing about the next address", () => {
    const server = watchServer([1, 2]);
    expect(server.meet("ada@example.com", "unclear")).toBe(false);
    expect(server.meet("grace@example.com", "unclear")).toBe(true);
    server.end();
    expect(server.meet("ada@example.com", "unclear")).toBe(false);
    expect(server.meet("ada@example.com", "unclear")).toBe(false);
  });

  test("by a limit of emails at a time loses no email", async () => {
    open([5, 30]);
    let [windowStart, taken] = [0, 0];
    smtp.decide("MAIL", () => {
      if (performance.now() - windowStart > 20) [windowStart, taken] = [performance.now(), 0];
      return ++taken > 2 ? "450 slow down" : undefined;
    });
    const delivered = await Promise.all(Array.from({ length: 8 }, () => mailer.deliver(EMAIL)));
    expect(delivered).toEqual(Array(8).fill("taken"));
  });

  test("is not assumed if the connection breaks over one email", async () => {
    open([1, 60_000]);
    smtp.decide("RCPT", (line) => (line.includes("ada@") ? "" : undefined));
    void mailer.deliver(EMAIL);
    expect(await mailer.deliver({ ...EMAIL, to: "grace@example.com" })).toBe("taken");
  });

  test("by silence after an email was sent is limited to three attempts", async () => {
    smtp.decide("RCPT", () => "250-and the rest of this never comes");
    expect(await open([1, 1], "?socketTimeout=20").deliver(EMAIL)).toBe("lost");
    expect(smtp.connections).toBe(3);
  });
});
