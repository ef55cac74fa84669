import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { assert } from "../../kit/index.ts";
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
  test("says whose it is and what for, once, however many come at once", async () => {
    const token = await newLink("sign-in");
    const redeemed = await Promise.all(
      Array.from({ length: 20 }, () => fixture.identity.members.redeemLink(token)),
    );
    expect(redeemed.filter((one) => one !== null)).toEqual([{ userId: member.userId, purpose: "sign-in" }]);
    expect(await fixture.identity.members.redeemLink(token)).toBeNull();
  });

  test("lives 72 hours", async () => {
    const [early, late] = [await newLink("sign-in"), await newLink("set-password")];
    await fixture.advanceClock(72 * HOUR_MS - 5_000);
    expect(await fixture.identity.members.redeemLink(early)).not.toBeNull();
    await fixture.advanceClock(5_000);
    expect(await fixture.identity.members.redeemLink(late)).toBeNull();
  });

  test("is voided by a newer one of its purpose only", async () => {
    const [old, other, fresh] = [await newLink("set-password"), await newLink("sign-in"), await newLink()];
    expect(await fixture.identity.members.redeemLink(old)).toBeNull();
    expect(await fixture.identity.members.redeemLink(other)).not.toBeNull();
    expect(await fixture.identity.members.redeemLink(fresh)).toEqual({
      userId: member.userId,
      purpose: "set-password",
    });
  });

  test("for an address that nobody has is none", async () => {
    for (const email of ["nobody@example.com", "nonsense", ""]) {
      expect(await fixture.identity.members.link({ email })).toBeNull();
    }
  });

  test("is stored as a hash: the table opens nothing", async () => {
    const token = await newLink();
    const { rows } = await fixture.db.pool.query("select v::text as line from verification v");
    expect(JSON.stringify(rows)).not.toContain(token);
    for (const { identifier } of (await fixture.db.pool.query("select identifier from verification")).rows) {
      expect(await fixture.identity.members.redeemLink(String(identifier))).toBeNull();
    }
  });

  test("is not what other parts of the accounts table hold", async () => {
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
