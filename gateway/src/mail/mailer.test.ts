import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createLog, createMetrics, silentLog } from "../telemetry/index.ts";
import { createMailer, type Mailer, type MailPace } from "./mailer.ts";
import { startTestSmtp, type TestSmtp } from "./smtp-testing.ts";

const PACE: MailPace = {
  retryMs: [1, 1],
  closeWaitMs: 1_000,
  mostWaiting: 3,
  emailMs: 60_000,
  noticeMs: 60_000,
};
const EMAIL = { to: "ada@example.com", subject: "Hello", text: "A letter." };

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

describe("an email", () => {
  test("reaches the server with sender, recipient, subject and text", async () => {
    expect(await open().deliver(EMAIL)).toBe("taken");
    const [taken] = smtp.emails;
    expect(taken?.to).toEqual(["ada@example.com"]);
    expect(taken?.data).toContain("From: Bursar <bursar@example.com>");
    expect(taken?.data).toContain("Subject: Hello");
    expect(taken?.data).toContain("A letter.");
  });

  test("cannot smuggle in a header or a second recipient", async () => {
    const subject = "Hi\r\nBcc: eve@example.com";
    expect(await open().deliver({ ...EMAIL, subject })).toBe("taken");
    expect(smtp.emails[0]?.to).toEqual(["ada@example.com"]);
    expect(smtp.emails[0]?.data).not.toMatch(/^Bcc:/m);
    const [twoAddresses, brokenLine] = [
      "ada@example.com, eve@example.com",
      "ada@example.com>\r\nRCPT TO:<eve@x.com",
    ];
    await open().deliver({ ...EMAIL, to: twoAddresses });
    await open().deliver({ ...EMAIL, to: brokenLine });
    expect(smtp.emails.flatMap(({ to }) => to)).not.toContain("eve@example.com");
    expect(smtp.emails.flatMap(({ to }) => to)).not.toContain("eve@x.com");
  });

  test("has no encoded words in its subject", async () => {
    const subject = "Ada invites you to =?utf-8?Q?evil=2Eexample=0A?=";
    expect(await open().deliver({ ...EMAIL, subject })).toBe("taken");
    const [message] = smtp.emails;
    expect(message?.data).toContain("Subject: Ada invites you to = ?utf-8?Q?evil=2Eexample=0A?=");
  });
});

describe("a mail server in trouble", () => {
  test("is tried again, a limited number of times", async () => {
    smtp.answer("RCPT", "451 later", "451 later");
    expect(await open().deliver(EMAIL)).toBe("taken");
    smtp.answer("RCPT", "451 later", "451 later", "451 later");
    expect(await open().deliver(EMAIL)).toBe("lost");
    expect(smtp.emails).toHaveLength(1);
    expect(metrics.render()).toContain('bursar_mails_total{outcome="failed"} 1');
  });

  test("does not delay other emails while one is deferred", async () => {
    const mailer = open({ pace: { ...PACE, retryMs: [20] } });
    smtp.answer("RCPT", "450 greylisted");
    const [putOff, next] = [mailer.deliver(EMAIL), mailer.deliver({ ...EMAIL, to: "grace@example.com" })];
    expect(await Promise.all([putOff, next])).toEqual(["taken", "taken"]);
    expect(smtp.emails.map(({ to }) => to[0])).toEqual(["grace@example.com", "ada@example.com"]);
  });

  test.each([
    ["HELLO", "421 restarting", "waits"],
    ["AUTH", "454 nobody can sign in now", "waits"],
    ["AUTH", "535 nobody can sign in now", "waits"],
    ["MAIL", "450 slow down", "waits"],
    ["RCPT", "421 not that one now", "goes aside"],
    ["DATA", "421 not that one now", "goes aside"],
    ["RCPT", "450 greylisted", "goes aside"],
    ["DATA", "452 no room for such a letter", "goes aside"],
  ] as const)("to %s says %s: the email %s", async (command, reply, what) => {
    const url = smtp.url.replace("smtp://", "smtp://bursar:word@");
    const mailer = open({ url, pace: { ...PACE, retryMs: [20] } });
    smtp.answer(command, reply);
    const [first, next] = [mailer.deliver(EMAIL), mailer.deliver({ ...EMAIL, to: "grace@example.com" })];
    expect(await Promise.all([first, next])).toEqual(["taken", "taken"]);
    expect(smtp.emails[0]?.to).toEqual([what === "waits" ? "ada@example.com" : "grace@example.com"]);
  });

  test("is not waited for on close", async () => {
    const refused = Promise.withResolvers<void>();
    const { log, lines } = writtenLog();
    const warn: typeof log.warn = (...line) => {
      log.warn(...line);
      refused.resolve();
    };
    smtp.stop();
    const pace = { ...PACE, retryMs: [60_000], closeWaitMs: 60_000 };
    const mailer = open({ log: { ...log, warn }, pace });
    const delivered = [mailer.deliver(EMAIL), mailer.deliver(EMAIL)];
    await refused.promise;
    await mailer.close();
    expect(await Promise.all(delivered)).toEqual(["lost", "lost"]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: "mail_not_sent", tries: 1 },
      { event: "mail_dropped", dropped: 2 },
    ]);
  });

  test.each([
    ["MAIL", "550 not in your name", "lost"],
    ["RCPT", "550 nobody of that name", "refused"],
    ["RCPT", "550 5.1.1 nobody of that name", "refused"],
    ["RCPT", "550 5.7.1 relaying denied", "lost"],
    ["RCPT", "550-5.4.5 you sent\r\n550 5.4.5 enough today", "lost"],
    ["DATA", "554 not such a letter", "lost"],
    ["DATA", "550 5.4.5 you sent enough today", "lost"],
  ] as const)(
    "is not tried again after a final reply to %s: %s, the email is %s",
    async (command, reply, what) => {
      smtp.answer(command, reply);
      expect(await open().deliver(EMAIL)).toBe(what);
      expect(smtp.connections).toBe(1);
    },
  );

  test("is not asked to deliver an email without a recipient", async () => {
    expect(await open().deliver({ ...EMAIL, to: "" })).toBe("refused");
    expect(smtp.commands).not.toContain("RCPT");
  });

  test("that is unreachable drops emails when they are too old", async () => {
    smtp.stop();
    const { log, lines } = writtenLog();
    const mailer = open({ log, pace: { ...PACE, emailMs: 10, noticeMs: 20 } });
    await mailer.send(EMAIL);
    expect(await mailer.deliver(EMAIL)).toBe("lost");
    expect(lines.some((line) => line.includes("mail_dropped"))).toBe(true);
    expect(metrics.render()).toContain('bursar_mails_total{outcome="dropped"} 2');
    expect(mailer.hasRoom()).toBe(true);
  });
});

describe("the email queue", () => {
  test("never blocks its caller, and refuses an email when it is full", async () => {
    const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const mailer = open({ url: `smtp://127.0.0.1:${silent.port}`, pace: { ...PACE, closeWaitMs: 1 } });
    for (let n = 0; n < 4; n++) {
      expect(mailer.hasRoom()).toBe(true);
      await mailer.send(EMAIL);
    }
    expect(mailer.hasRoom()).toBe(false);
    await expect(mailer.send(EMAIL)).rejects.toThrow("emails");
    await mailer.close();
    expect(mailer.hasRoom()).toBe(false);
    silent.stop(true);
  });

  test("counts deferred emails", async () => {
    const refused = Promise.withResolvers<void>();
    const log = { ...silentLog, warn: () => refused.resolve() };
    const mailer = open({ log, pace: { ...PACE, retryMs: [60_000], mostWaiting: 1 } });
    smtp.answer("RCPT", "450 greylisted");
    await mailer.send(EMAIL);
    await refused.promise;
    await expect(mailer.send(EMAIL)).rejects.toThrow("emails");
  });

  test("keeps half of its places free of notices", async () => {
    const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const pace = { ...PACE, mostWaiting: 4, closeWaitMs: 1 };
    const mailer = open({ url: `smtp://127.0.0.1:${silent.port}`, pace });
    await mailer.send(EMAIL);
    const taken = [mailer.deliver(EMAIL), mailer.deliver(EMAIL)];
    const third = mailer.deliver(EMAIL).catch(() => "no room");
    for (let n = 0; n < 2; n++) await mailer.send(EMAIL);
    await expect(mailer.send(EMAIL)).rejects.toThrow("emails");
    await mailer.close();
    expect(await Promise.all([...taken, third])).toEqual(["lost", "lost", "no room"]);
    silent.stop(true);
  });

  test("drops a notice that waited too long, but not other emails", async () => {
    const { log, lines } = writtenLog();
    const mailer = open({ log, pace: { ...PACE, retryMs: [500], noticeMs: 300 } });
    smtp.answer("HELLO", "421 restarting");
    await mailer.send(EMAIL);
    expect(await mailer.deliver({ ...EMAIL, to: "grace@example.com" })).toBe("lost");
    await smtp.received(1);
    expect(smtp.emails.map(({ to }) => to[0])).toEqual(["ada@example.com"]);
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ event: "mail_dropped", dropped: 1 });
    expect(await mailer.deliver({ ...EMAIL, to: "grace@example.com" })).toBe("taken");
  });

  test("drops a notice that waited too long behind another email", async () => {
    const mailer = open({ pace: { ...PACE, retryMs: [1], noticeMs: 10 } });
    smtp.decide("HELLO", () => "421 restarting");
    await mailer.send(EMAIL);
    expect(await mailer.deliver(EMAIL)).toBe("lost");
  });

  test("continues after a notice that was deferred for too long", async () => {
    const mailer = open({ pace: { ...PACE, retryMs: [20], noticeMs: 10 } });
    smtp.answer("RCPT", "450 greylisted");
    expect(await mailer.deliver(EMAIL)).toBe("lost");
    expect(await mailer.deliver(EMAIL)).toBe("taken");
  });

  test("is emptied on close, and callers that wait get lost", async () => {
    const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const mailer = open({ url: `smtp://127.0.0.1:${silent.port}`, pace: { ...PACE, closeWaitMs: 1 } });
    const first = mailer.send(EMAIL);
    const second = mailer.deliver(EMAIL);
    await mailer.close();
    await first;
    expect(await second).toBe("lost");
    silent.stop(true);
  });
});

describe("a dropped email", () => {
  test("on close is logged and counted", async () => {
    const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const { log, lines } = writtenLog();
    const url = `smtp://127.0.0.1:${silent.port}`;
    const mailer = open({ url, log, pace: { ...PACE, closeWaitMs: 1 } });
    for (let n = 0; n < 3; n++) await mailer.send(EMAIL);
    await mailer.close();
    const dropped = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "mail_dropped");
    expect(dropped).toMatchObject([{ dropped: 2 }]);
    expect(metrics.render()).toContain('bursar_mails_total{outcome="dropped"} 2');
    silent.stop(true);
  });

  test("on close may be a deferred one, and its caller gets lost", async () => {
    const { log, lines } = writtenLog();
    const refused = Promise.withResolvers<void>();
    const warn: typeof log.warn = (...line) => {
      log.warn(...line);
      refused.resolve();
    };
    const mailer = open({ log: { ...log, warn }, pace: { ...PACE, retryMs: [60_000] } });
    smtp.answer("RCPT", "450 greylisted");
    const arrived = mailer.deliver(EMAIL);
    await refused.promise;
    await mailer.close();
    expect(await arrived).toBe("lost");
    expect(lines.map((line) => JSON.parse(line)).at(-1)).toMatchObject({ event: "mail_dropped", dropped: 1 });
    expect(smtp.emails).toEqual([]);
  });

  test("is the only one that leaves a log line", async () => {
    const { log, lines } = writtenLog();
    const mailer = open({ log });
    await mailer.deliver(EMAIL);
    await mailer.close();
    expect(lines).toEqual([]);
  });
});

function writtenLog() {
  const lines: string[] = [];
  const sink = { write: (line: string) => void lines.push(line), flush() {}, async end() {} };
  return { log: createLog({ level: "debug", keyPrefix: "svc_live_", sink }), lines };
}

test("neither the password nor the email reaches the log", async () => {
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

describe("a mail server without encryption", () => {
  const elsewhere = "0.0.0.0";
  const urlOf = (login: string, host: string, query = "") =>
    `${smtp.url.replace("//127.0.0.1", `//${login}${host}`)}${query}`;

  test("gets no password, and the log says why nothing is sent", async () => {
    const { log, lines } = writtenLog();
    const pace = { ...PACE, noticeMs: 10 };
    expect(await open({ url: urlOf("bursar:word@", elsewhere), log, pace }).deliver(EMAIL)).toBe("lost");
    expect(new Set(smtp.commands)).toEqual(new Set(["EHLO", "STAR"]));
    expect(lines[0]).toContain("the connection could not be encrypted");
  });

  test("is tried again", async () => {
    const again = Promise.withResolvers<void>();
    smtp.decide("HELLO", () => void (smtp.connections > 1 && again.resolve()));
    await open({ url: urlOf("bursar:word@", elsewhere) }).send(EMAIL);
    await again.promise;
    expect([smtp.connections, smtp.emails]).toEqual([2, []]);
  });

  test.each([
    ["on this machine", "bursar:word@", "127.0.0.1", ""],
    ["without a password", "", elsewhere, ""],
    ["if SMTP_URL allows it", "bursar:word@", elsewhere, "?requireTLS=false"],
  ])("is used %s", async (_, login, host, query) => {
    expect(await open({ url: urlOf(login, host, query) }).deliver(EMAIL)).toBe("taken");
  });
});
