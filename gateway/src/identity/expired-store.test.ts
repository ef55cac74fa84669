import { afterAll, beforeAll, expect, test } from "bun:test";
import { createIdentityFixture, type IdentityFixture } from "./testing.ts";

const DAY_MS = 86_400_000;

let fixture: IdentityFixture;
beforeAll(async () => {
  fixture = await createIdentityFixture();
});
afterAll(() => fixture.close());

async function kept(): Promise<number[]> {
  const { rows } = await fixture.db.pool.query(
    `select (select count(*)::int from session) as sessions, (select count(*)::int from invitation) as invitations,
       (select count(*)::int from verification) as links`,
  );
  return [rows[0]?.sessions, rows[0]?.invitations, rows[0]?.links];
}

test("sessions, invitations and links are deleted a day after they expired, and not before", async () => {
  const { id } = await fixture.createOrganization();
  const { userId } = await fixture.addMember(id, "owner");
  await fixture.db.pool.query(
    `insert into session ("expiresAt", token, "ipAddress", "userId")
     values (bursar_now() + interval '7 days', 'token', '192.0.2.1', $1)`,
    [userId],
  );
  await fixture.db.pool.query(
    `insert into invitation ("organizationId", email, role, "inviterId", "expiresAt")
     values ($1, 'ada@example.com', 'member', $2, bursar_now() + interval '7 days')`,
    [id, userId],
  );
  await fixture.identity.forgetExpired();
  expect(await kept()).toEqual([1, 1, 1]);
  await fixture.advanceClock(7.5 * DAY_MS);
  await fixture.identity.forgetExpired();
  expect(await kept()).toEqual([1, 1, 0]);
  await fixture.advanceClock(DAY_MS);
  await fixture.identity.forgetExpired();
  expect(await kept()).toEqual([0, 0, 0]);
});
