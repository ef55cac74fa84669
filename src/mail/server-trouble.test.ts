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

describe("trouble of the server", () => {
  test.each([
    ["HELLO", "421 restarting"],
    ["RCPT", "421 too many"],
  ] as const)("costs no letter while it is away: to %s it says %s", async (command, reply) => {
    open([1, 1]);
    let times = 0;
    smtp.decide(command, () => (++times <= 30 ? reply : undefined));
    const delivered = Array.from({ length: 8 }, (_, n) =>
      mailer.deliver({ ...EMAIL, to: `ada${n}@example.com` }),
    );
    expect(await Promise.all(delivered)).toEqual(Array(8).fill("taken"));
  });

  test("makes it be left alone for longer each time, until it has taken a letter", () => {
    const trouble = watchServer([1, 40]);
    const waits = Array.from({ length: 3 }, () => trouble.meet(EMAIL.to, "server") && trouble.waitMs);
    expect(waits).toEqual([1, 40, 40]);
    trouble.end();
    expect(trouble.meet(EMAIL.to, "server") && trouble.waitMs).toBe(1);
  });

  test("is over when a letter was taken", async () => {
    open([1, 60_000]);
    for (let n = 0; n < 3; n++) {
      smtp.answer("MAIL", "451 later");
      expect(await mailer.deliver(EMAIL)).toBe("taken");
    }
  });

  test.each([
    ["one command after the other", undefined],
    ["all at once", "250-test\r\n250 PIPELINING"],
  ])("with a few addresses holds up nobody else, asked %s", async (_, hello) => {
    open([1, 60_000]);
    smtp.decide("EHLO", () => hello);
    smtp.decide("RCPT", (line) => (line.includes("ada") ? "421 not that one now" : undefined));
    for (let n = 0; n < 4; n++) void mailer.deliver({ ...EMAIL, to: `ada${n}@example.com` });
    const others = Array.from({ length: 3 }, () => mailer.deliver({ ...EMAIL, to: "grace@example.com" }));
    expect(await Promise.all(others)).toEqual(Array(3).fill("taken"));
  });

  test("with one address alone is a try of its letter", async () => {
    smtp.decide("RCPT", () => "421 not that one now");
    expect(await open([1, 1]).deliver(EMAIL)).toBe("lost");
    expect(smtp.connections).toBe(3);
  });

  test("that was met before a letter was taken says nothing about the next address", () => {
    const server = watchServer([1, 2]);
    expect(server.meet("ada@example.com", "unclear")).toBe(false);
    expect(server.meet("grace@example.com", "unclear")).toBe(true);
    server.end();
    expect(server.meet("ada@example.com", "unclear")).toBe(false);
    expect(server.meet("ada@example.com", "unclear")).toBe(false);
  });

  test("costs no letter by taking only a few at a time", async () => {
    open([5, 30]);
    let [windowStart, taken] = [0, 0];
    smtp.decide("MAIL", () => {
      if (performance.now() - windowStart > 20) [windowStart, taken] = [performance.now(), 0];
      return ++taken > 2 ? "450 slow down" : undefined;
    });
    const delivered = await Promise.all(Array.from({ length: 8 }, () => mailer.deliver(EMAIL)));
    expect(delivered).toEqual(Array(8).fill("taken"));
  });

  test("is not taken for granted where the connection breaks off over one letter", async () => {
    open([1, 60_000]);
    smtp.decide("RCPT", (line) => (line.includes("ada@") ? "" : undefined));
    void mailer.deliver(EMAIL);
    expect(await mailer.deliver({ ...EMAIL, to: "grace@example.com" })).toBe("taken");
  });

  test("is no excuse for many copies where it falls silent and may have taken the letter", async () => {
    smtp.decide("RCPT", () => "250-and the rest of this never comes");
    expect(await open([1, 1], "?socketTimeout=20").deliver(EMAIL)).toBe("lost");
    expect(smtp.connections).toBe(3);
  });
});
