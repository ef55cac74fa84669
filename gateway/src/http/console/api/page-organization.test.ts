import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Role } from "../../../identity/index.ts";
import { type ConsoleFixture, createConsoleFixture, okOf, type TestBrowser } from "../testing.ts";

let fixture: ConsoleFixture;

beforeAll(async () => {
  fixture = await createConsoleFixture();
});

afterAll(() => fixture.close());

/** A member of two organizations who opened a page on the first and then chose the second in another window. */
async function lookedAway({ roleThere }: { roleThere: Role }) {
  const [first, second] = [
    await fixture.createOrganization("First"),
    await fixture.createOrganization("Second"),
  ];
  const { email } = await fixture.addMember(first.id, "owner");
  const added = await fixture.identity.members.add({
    organizationId: second.id,
    email,
    role: roleThere,
    actor: { kind: "operator" },
  });
  expect(added.outcome).toBe("ok");
  const browser = await fixture.signIn(email);
  okOf(await browser.command("choose-organization", { id: first.id }));
  const page = { "x-console-token": await browser.token() };
  okOf(await browser.command("choose-organization", { id: second.id }));
  return { first, second, browser, page, email };
}

const NEW_KEY = { name: "laptop", scopes: ["chat"] } as const;

async function keysOf(organizationId: string): Promise<string[]> {
  const keys = await fixture.identity.keys.list(organizationId);
  return keys.map(({ name }) => name);
}

function keyQuery(browser: TestBrowser, headers: Record<string, string>) {
  return browser.send("/console/api/key.list", { method: "GET", headers });
}

describe("a page that shows another organization than the session has chosen since", () => {
  test.each(["owner", "member"] as const)(
    "cannot change either organization, for an %s of the chosen one, and is told why",
    async (roleThere) => {
      const { first, second, browser, page } = await lookedAway({ roleThere });
      const { status, problem } = await browser.command("key.create", NEW_KEY, page);
      expect([status, problem?.code]).toEqual([403, "elsewhere"]);
      expect(problem?.message).toContain(second.name);
      expect([await keysOf(first.id), await keysOf(second.id)]).toEqual([[], []]);
    },
  );

  test("gets no data of the chosen organization", async () => {
    const { browser, page } = await lookedAway({ roleThere: "owner" });
    expect((await keyQuery(browser, page)).status).toBe(403);
    expect((await keyQuery(browser, {})).status).toBe(200);
  });

  test("cannot download a file of the chosen organization as the first one's", async () => {
    const { first, second, browser } = await lookedAway({ roleThere: "owner" });
    const exported = async (organizationId?: string) => {
      const input = encodeURIComponent(JSON.stringify({ days: 7, organizationId }));
      const response = await browser.send(`/console/api/request.export?input=${input}`, { method: "GET" });
      return [response.status, response.headers.get("content-disposition") ?? (await response.text())];
    };
    const [status, said] = await exported(first.id);
    expect([status, said]).toEqual([403, expect.stringContaining(`now looking at ${second.name}`)]);
    expect((await exported())[0]).toBe(400);
    expect(await exported(second.id)).toEqual([200, expect.stringContaining(`usage-${second.slug}-`)]);
  });

  test("works again with a new token of the session", async () => {
    const { second, browser } = await lookedAway({ roleThere: "owner" });
    okOf(await browser.command("key.create", NEW_KEY));
    expect(await keysOf(second.id)).toEqual(["laptop"]);
  });

  test("can still rename the person, choose an organization and sign out", async () => {
    const { first, browser, page } = await lookedAway({ roleThere: "member" });
    okOf(await browser.command("rename", { name: "Ida B." }, page));
    okOf(await browser.command("choose-organization", { id: first.id }, page));
    okOf(await browser.command("key.create", NEW_KEY, page));
    expect(await keysOf(first.id)).toEqual(["laptop"]);
    okOf(await browser.command("sign-out", {}, page));
  });

  test("cannot use its token for the chosen organization, because the token is signed for the first", async () => {
    const { first, second, browser, page } = await lookedAway({ roleThere: "owner" });
    const forged = page["x-console-token"].replace(first.id, second.id);
    const { status, problem } = await browser.command("key.create", NEW_KEY, { "x-console-token": forged });
    expect([status, problem?.code]).toEqual([403, "forbidden"]);
  });
});

test("somebody removed from the organization of the page is told so, and which organization is shown now", async () => {
  const { first, second, browser, email } = await lookedAway({ roleThere: "member" });
  okOf(await browser.command("choose-organization", { id: first.id }));
  const page = { "x-console-token": await browser.token() };
  const there = (await fixture.identity.members.list(first.id)).find((one) => one.email === email);
  await fixture.addMember(first.id, "owner");
  const seat = { organizationId: first.id, userId: there?.userId ?? "" };
  await fixture.identity.members.remove({ ...seat, actor: { kind: "operator" } });
  const { status, problem } = await browser.command("key.create", NEW_KEY, page);
  expect([status, problem?.code]).toEqual([403, "elsewhere"]);
  expect(problem?.message).toBe(
    `Nothing was done: you are no longer a member of ${first.name}. You now see ${second.name}.`,
  );
  expect(await keysOf(second.id)).toEqual([]);
});
