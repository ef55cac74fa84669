import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { assert, sha256Hex } from "../../kit/index.ts";
import { newOneTimeToken } from "../one-time-token.ts";
import { OPERATOR } from "../role.ts";
import { createIdentityFixture, type IdentityFixture } from "../testing.ts";

const HOUR_MS = 3_600_000;

let fixture: IdentityFixture;
let member: { userId: string; email: string; token: string };

beforeAll(async () => {
  fixture = await createIdentityFixture();
  member = await fixture.addMember((await fixture.createOrganization()).id, "owner");
});

afterAll(() => fixture.close());

async function newLink(purpose?: "set-password" | "sign-in"): Promise<string> {
  const link = await fixture.identity.members.link({ email: member.email, purpose });
  assert(link !== null, "a link");
  return link.token;
}

describe("a one-time link", () => {
  test("returns its person and purpose once, however many redeem it concurrently", async () => {
    const token = await newLink("sign-in");
    const redeemed = await Promise.all(
      Array.from({ length: 20 }, () => fixture.identity.members.redeemLink(token)),
    );
    expect(redeemed.filter((one) => one !== null)).toEqual([{ userId: member.userId, purpose: "sign-in" }]);
    expect(await fixture.identity.members.redeemLink(token)).toBeNull();
  });

  test("lasts 72 hours", async () => {
    const early = await newLink("sign-in");
    await fixture.advanceClock(72 * HOUR_MS - 5_000);
    expect(await fixture.identity.members.redeemLink(early)).not.toBeNull();
    const late = await newLink("sign-in");
    await fixture.advanceClock(72 * HOUR_MS);
    expect(await fixture.identity.members.redeemLink(late)).toBeNull();
  });

  test("is voided by a newer one of its person, whatever their purposes", async () => {
    const other = await fixture.addMember((await fixture.createOrganization()).id);
    const [old, older, fresh] = [await newLink("set-password"), await newLink("sign-in"), await newLink()];
    expect(await fixture.identity.members.redeemLink(old)).toBeNull();
    expect(await fixture.identity.members.redeemLink(older)).toBeNull();
    expect(await fixture.identity.members.redeemLink(fresh)).toEqual({
      userId: member.userId,
      purpose: "set-password",
    });
    expect(await fixture.identity.members.redeemLink(other.token)).not.toBeNull();
  });

  test("voids those that an earlier version left beside it when it is redeemed", async () => {
    const [left, token] = [await newLink("sign-in"), newOneTimeToken()];
    await fixture.db.pool.query(
      `insert into verification (identifier, value, "expiresAt") values ($1, $2, 'infinity')`,
      [`bursar-link:${sha256Hex(token)}`, `set-password:${member.userId}`],
    );
    expect(await fixture.identity.members.redeemLink(token)).not.toBeNull();
    expect(await fixture.identity.members.redeemLink(left)).toBeNull();
  });

  test("is the only one of its person, however many are created concurrently", async () => {
    const purposes = ["set-password", "sign-in"] as const;
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 10 }, (_, at) => newLink(purposes[at % 2])));
      const { rows } = await fixture.db.pool.query("select from verification where value like $1", [
        `%:${member.userId}`,
      ]);
      expect(rows).toHaveLength(1);
    }
  });

  test("is created for several people concurrently, even when their old links have expired", async () => {
    const { id } = await fixture.createOrganization();
    const people = await Promise.all([1, 2, 3, 4].map(() => fixture.addMember(id)));
    for (let round = 0; round < 5; round++) {
      await fixture.db.pool.query(`update verification set "expiresAt" = bursar_now() - interval '3 days'`);
      const links = people.map(({ email }) => fixture.identity.members.link({ email }));
      expect((await Promise.all(links)).every((link) => link !== null)).toBe(true);
    }
  });

  test("is created for each of many concurrent memberships of one person, and one of them works", async () => {
    const { email, token } = await fixture.addMember((await fixture.createOrganization()).id);
    await fixture.identity.members.redeemLink(token);
    const organizations = await Promise.all(Array.from({ length: 8 }, () => fixture.createOrganization()));
    const added = await Promise.all(
      organizations.map(({ id: organizationId }) =>
        fixture.identity.members.add({ organizationId, email, role: "member", actor: OPERATOR }),
      ),
    );
    const tokens = added.map((one) => (one.outcome === "ok" ? (one.link?.token ?? "") : one.outcome));
    const redeemed = await Promise.all(tokens.map((one) => fixture.identity.members.redeemLink(one)));
    expect(redeemed.filter((one) => one !== null)).toHaveLength(1);
  });

  test("is not created for an unknown address", async () => {
    for (const email of ["nobody@example.com", "nonsense", ""]) {
      expect(await fixture.identity.members.link({ email })).toBeNull();
    }
  });

  test("is stored as a hash, and the stored identifier cannot be redeemed", async () => {
    const token = await newLink();
    const { rows } = await fixture.db.pool.query("select v::text as line from verification v");
    expect(JSON.stringify(rows)).not.toContain(token);
    for (const { identifier } of (await fixture.db.pool.query("select identifier from verification")).rows) {
      expect(await fixture.identity.members.redeemLink(String(identifier))).toBeNull();
    }
  });

  test("cannot be redeemed with any other text, such as another identifier of its table", async () => {
    await fixture.db.pool.query(
      `insert into verification (identifier, value, "expiresAt") values ('reset-password:x', $1, 'infinity')`,
      [`sign-in:${member.userId}`],
    );
    for (const text of [
      "",
      "x",
      "reset-password:x",
      "a".repeat(43),
      "a".repeat(1_000_000),
      "\0".repeat(43),
    ]) {
      expect(await fixture.identity.members.redeemLink(text)).toBeNull();
    }
  });
});
