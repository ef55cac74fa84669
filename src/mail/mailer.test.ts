import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createLog, createMetrics, silentLog } from "../telemetry/index.ts";
import { createMailer, type Mailer, type MailPace } from "./mailer.ts";
import { startTestSmtp, type TestSmtp } from "./smtp-testing.ts";

const PACE: MailPace = { retryMs: [1, 1], closeWaitMs: 1_000, mostWaiting: 3 };
const LETTER = { to: "ada@example.com", subject: "Hello", text: "A letter." };

let smtp: TestSmtp;
let metrics = createMetrics();
const mailers: Mailer[] = [];

beforeEach(async () => {
  smtp = await startTestSmtp();
  metrics = createMetrics();
});
afterEach(async () => {
  await Promise.all(mailers.splice(0).map((mailer) => mailer.close()));
  smtp.stop();
});

function open({ url = smtp.url, log = silentLog, pace = PACE } = {}): Mailer {
  const settings = { url, from: "Bursar <bursar@example.com>" };
  const mailer = createMailer({ settings, log, metrics, pace });
  mailers.push(mailer);
  return mailer;
}

describe("a letter", () => {
  test("reaches the server with sender, address, subject and text", async () => {
    expect(await open().deliver(LETTER)).toBe(true);
    const [taken] = smtp.letters;
    expect(taken?.to).toEqual(["ada@example.com"]);
    expect(taken?.data).toContain("From: Bursar <bursar@example.com>");
    expect(taken?.data).toContain("Subject: Hello");
    expect(taken?.data).toContain("A letter.");
  });

  test("cannot smuggle a header or a second recipient in", async () => {
    const subject = "Hi\r\nBcc: eve@example.com";
    expect(await open().deliver({ ...LETTER, subject })).toBe(true);
    expect(smtp.letters[0]?.to).toEqual(["ada@example.com"]);
    expect(smtp.letters[0]?.data).not.toMatch(/^Bcc:/m);
    const [twoAddresses, brokenLine] = [
      "ada@example.com, eve@example.com",
      "ada@example.com>\r\nRCPT TO:<eve@x.com",
    ];
    await open().deliver({ ...LETTER, to: twoAddresses });
    await open().deliver({ ...LETTER, to: brokenLine });
    expect(smtp.letters.flatMap(({ to }) => to)).not.toContain("eve@example.com");
    expect(smtp.letters.flatMap(({ to }) => to)).not.toContain("eve@x.com");
  });
});

describe("a server that is not in the mood", () => {
  test("is asked again, a bounded number of times", async () => {
    smtp.answer("MAIL", "451 later", "451 later");
    expect(await open().deliver(LETTER)).toBe(true);
    smtp.answer("MAIL", "451 later", "451 later", "451 later");
    expect(await open().deliver(LETTER)).toBe(false);
    expect(smtp.letters).toHaveLength(1);
    expect(metrics.render()).toContain('bursar_mails_total{outcome="failed"} 1');
  });

  test("is not asked again after a final no", async () => {
    smtp.answer("RCPT", "550 nobody of that name");
    expect(await open().deliver(LETTER)).toBe(false);
    expect(smtp.connections).toBe(1);
  });

  test("that is not there at all fails the letter and nothing else", async () => {
    smtp.stop();
    expect(await open().deliver(LETTER)).toBe(false);
  });
});

describe("the queue", () => {
  test("never makes its user wait, and refuses one letter too many at once", async () => {
    const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const mailer = open({ url: `smtp://127.0.0.1:${silent.port}`, pace: { ...PACE, closeWaitMs: 1 } });
    for (let n = 0; n < 4; n++) await mailer.send(LETTER);
    await expect(mailer.send(LETTER)).rejects.toThrow("full");
    await mailer.close();
    silent.stop(true);
  });

  test("is emptied at the end, and who waits is told", async () => {
    const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const mailer = open({ url: `smtp://127.0.0.1:${silent.port}`, pace: { ...PACE, closeWaitMs: 1 } });
    const first = mailer.send(LETTER);
    const second = mailer.deliver(LETTER);
    await mailer.close();
    await first;
    expect(await second).toBe(false);
    silent.stop(true);
  });
});

describe("a letter that is dropped", () => {
  test("at the end is counted in the log, with all that waited", async () => {
    const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const { log, lines } = writtenLog();
    const url = `smtp://127.0.0.1:${silent.port}`;
    const mailer = open({ url, log, pace: { ...PACE, closeWaitMs: 1 } });
    for (let n = 0; n < 3; n++) await mailer.send(LETTER);
    await mailer.close();
    const dropped = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "mail_dropped");
    expect(dropped).toMatchObject([{ dropped: 2 }]);
    expect(metrics.render()).toContain('bursar_mails_total{outcome="dropped"} 2');
    silent.stop(true);
  });

  test("by nobody leaves no line", async () => {
    const { log, lines } = writtenLog();
    const mailer = open({ log });
    await mailer.deliver(LETTER);
    await mailer.close();
    expect(lines).toEqual([]);
  });
});

test("tries that are over leave nothing waiting for the end", async () => {
  const waiting = new Map<EventTarget, number>();
  const count = (by: number) =>
    function (this: EventTarget, type: string) {
      if (type === "abort") waiting.set(this, (waiting.get(this) ?? 0) + by);
    };
  const watched = [watch("addEventListener", count(1)), watch("removeEventListener", count(-1))];
  try {
    smtp.answer("MAIL", "451 later", "451 later");
    expect(await open().deliver(LETTER)).toBe(true);
  } finally {
    for (const unwatch of watched) unwatch();
  }
  expect(waiting.size).toBeGreaterThan(0);
  expect([...waiting.values()].filter((left) => left > 0)).toEqual([]);
});

/** Tells of every call of the platform's method, and lets it happen. */
function watch(
  name: "addEventListener" | "removeEventListener",
  tell: (this: EventTarget, type: string) => void,
): () => void {
  const own = EventTarget.prototype[name];
  EventTarget.prototype[name] = function (this: EventTarget, ...args: Parameters<typeof own>) {
    tell.call(this, args[0]);
    return own.apply(this, args);
  };
  return () => {
    EventTarget.prototype[name] = own;
  };
}

function writtenLog() {
  const lines: string[] = [];
  const sink = { write: (line: string) => void lines.push(line), flush() {}, async end() {} };
  return { log: createLog({ level: "debug", keyPrefix: "svc_live_", sink }), lines };
}

test("neither the password nor the letter reaches the log", async () => {
  const { log, lines } = writtenLog();
  smtp.answer("AUTH", "535 wrong");
  const url = smtp.url.replace("smtp://", "smtp://bursar:canary-password@");
  await open({ url, log }).deliver({
    to: "canary@example.com",
    subject: "canary subject",
    text: "canary text",
  });
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join("\n")).not.toContain("canary");
});
