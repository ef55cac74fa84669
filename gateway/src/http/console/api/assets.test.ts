import { afterAll, beforeAll, expect, test } from "bun:test";
import { publishTestAsset } from "../../../../../test/published-asset.ts";
import type { Asset } from "../../../assets/index.ts";
import { newId } from "../../../kit/index.ts";
import {
  type ConsoleFixture,
  createConsoleFixture,
  okOf,
  TEST_ORIGIN,
  type TestBrowser,
} from "../testing.ts";

let fixture: ConsoleFixture;
let organization: string;
const browsers: Record<"owner" | "admin" | "ann" | "ben" | "stranger", TestBrowser> = Object.create(null);
const ids: Record<"ann" | "ben", string> = Object.create(null);

beforeAll(async () => {
  fixture = await createConsoleFixture();
  organization = (await fixture.createOrganization()).id;
  const elsewhere = (await fixture.createOrganization("Elsewhere")).id;
  const join = async (name: keyof typeof browsers, role: string, where = organization) => {
    const { email, userId } = await fixture.addMember(where, role);
    browsers[name] = await fixture.signIn(email);
    return userId;
  };
  await join("owner", "owner");
  await join("admin", "admin");
  ids.ann = await join("ann", "member");
  ids.ben = await join("ben", "member");
  await join("stranger", "owner", elsewhere);
});

afterAll(() => fixture.close());

function publish(changes: Parameters<typeof publishTestAsset>[2] = {}): Promise<Asset> {
  const services = { library: fixture.library, db: fixture.db };
  return publishTestAsset({ services }, { id: organization, keyId: newId() }, changes);
}

async function listed(browser: TestBrowser, input: Parameters<typeof browser.query<"asset.list">>[1] = {}) {
  return okOf(await browser.query("asset.list", input)).rows.map(({ id }) => id);
}

test("owners and admins see all assets, members those made for them, other organizations none", async () => {
  const anns = await publish({ memberUserId: ids.ann });
  const bens = await publish({ memberUserId: ids.ben });
  const nobodys = await publish();
  for (const name of ["owner", "admin"] as const) {
    expect(await listed(browsers[name])).toEqual([nobodys.id, bens.id, anns.id]);
    expect(await listed(browsers[name], { memberId: ids.ben })).toEqual([bens.id]);
  }
  expect(await listed(browsers.ann)).toEqual([anns.id]);
  expect(await listed(browsers.ann, { memberId: ids.ben })).toEqual([anns.id]);
  expect(await listed(browsers.stranger)).toEqual([]);
});

test("an asset has its type, owner, cost and a URL to open it, but not its object key", async () => {
  const asset = await publish({ memberUserId: ids.ann, prompt: `<b>"'` });
  const row = okOf(await browsers.owner.query("asset.get", { id: asset.id }));
  expect(row).toMatchObject({
    id: asset.id,
    type: "image",
    mimeType: "image/png",
    width: 1,
    height: 1,
    durationSeconds: null,
    model: "sandbox-image",
    prompt: `<b>"'`,
    requestId: asset.requestId,
    credits: 4,
    mayDelete: true,
  });
  expect(row.url).toBe(`${TEST_ORIGIN}/library/${asset.urlToken}.png`);
  expect(row.memberName).toBeString();
  expect(JSON.stringify(row)).not.toContain(asset.objectKey);
});

test("pages have no gaps, and a cursor is accepted only for the filter and organization it was made for", async () => {
  for (let made = 0; made < 5; made++) await publish({ memberUserId: ids.ann, model: "paged" });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = okOf(await browsers.owner.query("asset.list", { model: "paged", limit: 2, cursor }));
    seen.push(...page.rows.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
    if (!cursor) break;
    for (const [browser, input] of [
      [browsers.owner, { cursor }],
      [browsers.stranger, { model: "paged", cursor }],
      [browsers.owner, { model: "paged", cursor: `${cursor}x` }],
    ] as const) {
      expect((await browser.query("asset.list", input)).problem?.field).toBe("cursor");
    }
  } while (cursor);
  expect([seen.length, new Set(seen).size]).toEqual([5, 5]);
  expect(seen).toEqual(await listed(browsers.owner, { model: "paged" }));
});

test("members delete their own assets; those of others are 404, like unknown ones", async () => {
  const anns = await publish({ memberUserId: ids.ann });
  const nobodys = await publish();
  const unknown = await browsers.ben.query("asset.get", { id: newId() });
  expect(unknown).toMatchObject({ status: 404, problem: { code: "not_found" } });
  for (const [browser, id] of [
    [browsers.ben, anns.id],
    [browsers.ben, nobodys.id],
    [browsers.stranger, anns.id],
    [browsers.owner, "no-uuid"],
  ] as const) {
    expect((await browser.query("asset.get", { id })).problem).toEqual(unknown.problem);
    expect((await browser.command("asset.delete", { id })).problem).toEqual(unknown.problem);
  }
  expect(await fixture.library.open(anns.urlToken)).not.toBeNull();
  okOf(await browsers.ann.command("asset.delete", { id: anns.id }));
  expect(await fixture.library.open(anns.urlToken)).toBeNull();
  expect((await browsers.ann.command("asset.delete", { id: anns.id })).status).toBe(404);
  okOf(await browsers.admin.command("asset.delete", { id: nobodys.id }));
  expect(await fixture.library.open(nobodys.urlToken)).toBeNull();
});
