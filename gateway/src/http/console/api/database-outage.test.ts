import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { seedOfRun } from "../../../../../test/seed-of-run.ts";
import { createBilling } from "../../../billing/index.ts";
import { TEST_PLANS } from "../../../billing/testing.ts";
import { connectWithOutages, type OutageDatabase } from "../../../db/outage-testing.ts";
import { createIdentity, type Identity } from "../../../identity/index.ts";
import { TEST_KEY_PREFIX } from "../../../identity/testing.ts";
import { systemClock } from "../../../kit/index.ts";
import { createLedger } from "../../../ledger/index.ts";
import type { Mail } from "../../../operations/index.ts";
import { type Log, silentLog } from "../../../telemetry/index.ts";
import type { CallEndpoint } from "../../context.ts";
import type { Commands } from "../contract.ts";
import type { Console } from "../index.ts";
import {
  type ConsoleFixture,
  createConsoleFixture,
  okOf,
  TEST_ORIGIN,
  type TestBrowser,
} from "../testing.ts";

const PASSWORD = "four words of mine";
const AWAY = "Error: Connection terminated unexpectedly";
/** Password hashing is slow on purpose: an ordinary run tries a third of the statements, a long one all of them. */
const STEP_OF_PASSWORDS = process.env["BURSAR_TEST_LONG"] === "1" ? 1 : 3;

let fixture: ConsoleFixture;
let outage: OutageDatabase;
let identity: Identity;
let console: Console;
let organizationId: string;
let addresses = 0;

beforeAll(async () => {
  fixture = await createConsoleFixture();
  outage = connectWithOutages(fixture.db.url);
  const { db } = outage;
  identity = await createIdentity({
    db,
    log: silentLog,
    keyPrefix: TEST_KEY_PREFIX,
    clock: systemClock,
    watch: false,
  });
  console = openConsole();
});
beforeEach(async () => {
  organizationId = (await fixture.createOrganization("Acme")).id;
});
afterAll(async () => {
  await identity.close();
  await outage.db.close();
  await fixture.close();
});

function openConsole(mail?: Pick<Mail, "send">, log?: Log): Console {
  const { db } = outage;
  const billing = createBilling({ db, ledger: createLedger(db), plans: TEST_PLANS, log: silentLog });
  return fixture.openConsole({ db, identity, billing, signUpIsOpen: true, mail, log });
}

const newAddress = () => `outage-${++addresses}@example.com`;

function open(at = console, cookies?: ReadonlyMap<string, string>): TestBrowser {
  const browser = fixture.openBrowser({ console: at });
  for (const [name, value] of cookies ?? []) browser.cookies.set(name, value);
  return browser;
}

async function personOf(browser: TestBrowser) {
  return okOf(await browser.query("session")).person;
}

async function invitationTo(email: string): Promise<string> {
  const { userId } = await fixture.addMember(organizationId, "owner");
  const invitation = { organizationId, email, role: "member", inviterId: userId };
  const invited = await fixture.identity.invitations.create(invitation);
  return invited.outcome === "ok" ? invited.token : "";
}

/**
 * Repeats the same request while the database goes away at its first statement, then at its second, and so on. If one
 * of the tries used something up, the next ones would be refused.
 */
async function tryUntilDone<Name extends keyof Commands>(
  name: Name,
  input: Commands[Name]["input"],
  nextBrowser: () => TestBrowser,
): Promise<TestBrowser> {
  const step = "password" in input ? STEP_OF_PASSWORDS : 1;
  for (let statement = 1 + (seedOfRun() % step); ; statement += step) {
    const browser = nextBrowser();
    const headers = { "x-console-token": await browser.token() };
    outage.goAwayAt(statement);
    const { ok, status, problem } = await browser.command(name, input, headers);
    const wasAway = outage.comeBack();
    if (ok === undefined) {
      const expected = {
        statement,
        wasAway: true,
        status: 503,
        message: expect.stringContaining("database"),
      };
      expect({ statement, wasAway, status, message: problem?.message }).toEqual(expected);
      continue;
    }
    expect(statement).toBeGreaterThan(5);
    return browser;
  }
}

describe("after outages at any of its statements, the same request succeeds once the database is back:", () => {
  test("a sign-up with a password", async () => {
    const email = newAddress();
    const input = { name: "Ana", email, organization: "Ana & Co", password: PASSWORD };
    // Another node each time, because one node alone would throttle so many sign-ups.
    const browser = await tryUntilDone("sign-up", input, () => open(openConsole()));
    expect(await personOf(browser)).toMatchObject({ email, hasPassword: true });
  });

  test("a sign-up by a mailed link", async () => {
    const emails: string[] = [];
    const mailing = openConsole({ send: async ({ text }) => void emails.push(text) });
    const browser = open(mailing);
    const email = newAddress();
    okOf(await browser.command("sign-up", { name: "Ana", email, organization: "Ana & Co" }));
    const token = /sign-up\/([\w.-]+)/.exec(emails[0] ?? "")?.[1] ?? "";
    await tryUntilDone("confirm-sign-up", { token }, () => browser);
    expect(await personOf(browser)).toMatchObject({ email, hasPassword: false });
    okOf(await browser.command("choose-password", { password: PASSWORD }));
  });

  test("accepting an invitation without an account", async () => {
    const browser = open();
    const email = newAddress();
    const input = { token: await invitationTo(email), name: "Guest", password: PASSWORD };
    await tryUntilDone("accept-invitation", input, () => browser);
    expect(await personOf(browser)).toMatchObject({ email, hasPassword: true });
    expect(okOf(await browser.query("session")).organization?.id).toBe(organizationId);
  });

  test("accepting an invitation with an account", async () => {
    const { email } = await fixture.addMember((await fixture.createOrganization("Elsewhere")).id);
    const browser = open();
    okOf(await browser.command("redeem-link", { token: await fixture.linkFor(email, "sign-in") }));
    await tryUntilDone("accept-invitation", { token: await invitationTo(email) }, () => browser);
    expect(okOf(await browser.query("session")).organization?.id).toBe(organizationId);
  });

  test("redeeming a one-time link", async () => {
    const { email, token } = await fixture.addMember(organizationId);
    const browser = open();
    await tryUntilDone("redeem-link", { token }, () => browser);
    expect(await personOf(browser)).toMatchObject({ email });
  });

  test("choosing a password after a link, and changing it", async () => {
    const { email, token } = await fixture.addMember(organizationId);
    const browser = open();
    okOf(await browser.command("redeem-link", { token }));
    await tryUntilDone("choose-password", { password: PASSWORD }, () => browser);
    expect(await personOf(browser)).toMatchObject({ email, hasPassword: true });
    const change = { current: PASSWORD, password: `${PASSWORD}, and more` };
    await tryUntilDone("change-password", change, () => open(openConsole(), browser.cookies));
  }, 60_000);
});

test("a call from the playground is 503 if the database goes away at either check of its caller", async () => {
  const browser = open();
  const { token } = await fixture.addMember(organizationId);
  okOf(await browser.command("redeem-link", { token }));
  const headers = {
    cookie: [...browser.cookies].map((pair) => pair.join("=")).join("; "),
    origin: TEST_ORIGIN,
    "x-console-token": await browser.token(),
  };
  const play = async (callEndpoint: CallEndpoint) => {
    const request = new Request(`${TEST_ORIGIN}/console/play/api-v1-chat`, { method: "POST", headers });
    const answer = await console.handle(request, "10.0.0.9", callEndpoint);
    expect(outage.comeBack()).toBe(true);
    return [answer.status, answer.headers.get("retry-after"), await answer.json()];
  };
  const second = await play((_, known) => {
    outage.goAwayAt(1);
    return known.askAgain().then(
      () => Response.json({}),
      () => Response.json({}, { status: 500 }),
    );
  });
  outage.goAwayAt(1);
  expect(second).toEqual(await play(() => null));
  expect(second).toMatchObject([503, "5", { problem: { code: "busy" } }]);
});

test("the log names the database as the cause, with its error", async () => {
  const lines: Record<string, unknown>[] = [];
  const note = (event: string, fields?: object) => void lines.push({ event, ...fields });
  const browser = open(openConsole(undefined, { ...silentLog, warn: note, error: note }));
  const { token } = await fixture.addMember(organizationId);
  okOf(await browser.command("redeem-link", { token }));
  lines.length = 0;
  outage.goAwayAt(1);
  expect((await browser.query("session")).status).toBe(503);
  expect(outage.comeBack()).toBe(true);
  expect(lines).toEqual([
    { event: "accounts_library", severity: "error", message: expect.any(String), error: AWAY },
    { event: "console_failed", reference: expect.any(String), error: expect.any(Error), database: AWAY },
  ]);
});
