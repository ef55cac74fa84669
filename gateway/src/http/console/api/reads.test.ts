import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleFixture, createConsoleFixture, okOf } from "../testing.ts";

let fixture: ConsoleFixture;

beforeAll(async () => {
  fixture = await createConsoleFixture();
});
afterAll(() => fixture.close());

test("one person with hundreds of concurrent reports gets 429; colleagues and commands do not", async () => {
  const { id } = await fixture.createOrganization("Busy");
  const { email } = await fixture.addMember(id, "owner");
  const [here, there] = [await fixture.signIn(email), await fixture.signIn(email)];
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, at) => (at % 2 ? here : there).query("usage.overview")),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(100);
  for (const { status, headers, problem } of refused) {
    expect([status, problem?.code, Number(headers.get("retry-after")) > 0]).toEqual([429, "too_many", true]);
  }
  const colleague = await fixture.signIn((await fixture.addMember(id, "member")).email);
  okOf(await colleague.query("usage.overview"));
  okOf(await here.command("choose-organization", { id }));
});

test("one person with hundreds of concurrent commands gets 429; colleagues, reads and sign-out do not", async () => {
  const { id } = await fixture.createOrganization("Hurried");
  const { email } = await fixture.addMember(id, "owner");
  const [here, there] = [await fixture.signIn(email), await fixture.signIn(email)];
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, at) => (at % 2 ? here : there).command("choose-organization", { id })),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(20);
  for (const { status, headers, problem } of refused) {
    expect([status, problem?.code, Number(headers.get("retry-after")) > 0]).toEqual([429, "too_many", true]);
  }
  const colleague = await fixture.signIn((await fixture.addMember(id, "owner")).email);
  okOf(await colleague.command("choose-organization", { id }));
  okOf(await here.query("usage.overview"));
  okOf(await here.command("sign-out", {}));
});

test("five pages' worth of concurrent queries is accepted", async () => {
  const { id } = await fixture.createOrganization("Usual");
  const browser = await fixture.signIn((await fixture.addMember(id, "owner")).email);
  const names = [
    "session",
    "usage.overview",
    "organization.get",
    "key.list",
    "member.list",
    "billing.get",
    "model.list",
    "sessions",
  ] as const;
  const pages = Array.from({ length: 5 }, () => names).flat();
  const answers = await Promise.all(pages.map((name) => browser.query(name)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});
