import { afterAll, beforeAll, expect, test } from "bun:test";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { organization } from "better-auth/plugins";
import { assert, present } from "../kit/index.ts";
import { OPERATOR } from "./index.ts";
import { createIdentityFixture, type IdentityFixture } from "./testing.ts";

let fixture: IdentityFixture;

beforeAll(async () => {
  fixture = await createIdentityFixture();
});

afterAll(() => fixture.close());

/** The accounts library as the console configures it. */
function accountsOptions(complaints: string[] = []) {
  return {
    database: fixture.db.pool,
    baseURL: "http://127.0.0.1",
    secret: "a secret of at least thirty-two characters",
    emailAndPassword: { enabled: true },
    plugins: [organization()],
    advanced: { database: { generateId: "uuid" } },
    telemetry: { enabled: false },
    logger: { level: "warn", log: (_level, message) => complaints.push(message) },
  } satisfies BetterAuthOptions;
}

test("the accounts library finds every table and column it needs, with the expected types", async () => {
  const complaints: string[] = [];
  const { toBeCreated, toBeAdded } = await getMigrations(accountsOptions(complaints));
  expect(toBeCreated).toEqual([]);
  expect(toBeAdded).toEqual([]);
  expect(complaints).toEqual([]);
});

test("an organization created by the accounts library works here, and the library cannot delete it", async () => {
  const complaints: string[] = [];
  const accounts = betterAuth(accountsOptions(complaints));
  const signUp = { email: "ada@example.com", password: "correct horse battery", name: "Ada" };
  const { headers, response } = await accounts.api.signUpEmail({ body: signUp, returnHeaders: true });
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const session = new Headers({ cookie });
  const created = present(
    await accounts.api.createOrganization({ body: { name: "Library", slug: "library" }, headers: session }),
    "the organization",
  );
  const userId = response.user.id;
  expect(await fixture.identity.members.isMember(created.id, userId)).toBe(true);
  expect(await fixture.identity.organizations.find("library")).toMatchObject({
    plan: "free",
    active: true,
    efficiency: "safe",
  });
  const minted = await fixture.identity.keys.mint({
    organizationId: created.id,
    name: "Key",
    scopes: ["chat"],
    actor: { kind: "person", userId },
  });
  assert(minted.outcome === "ok", minted.outcome);
  expect((await fixture.identity.authenticate(`Bearer ${minted.secret}`)).outcome).toBe("ok");
  // Through the library, neither can the plan be changed nor the organization and its last owner be removed.
  await accounts.api
    .updateOrganization({
      body: { organizationId: created.id, data: { name: "Library", plan: "enterprise" } as { name: string } },
      headers: session,
    })
    .catch(() => {});
  expect(await fixture.identity.organizations.find("library")).toMatchObject({ plan: "free" });
  await accounts.api
    .deleteOrganization({ body: { organizationId: created.id }, headers: session })
    .catch(() => {});
  expect(await fixture.identity.organizations.find("library")).toBeDefined();
  const left = await fixture.identity.members.list(created.id);
  expect(left).toMatchObject([{ userId, role: "owner" }]);
});

test("a person added at the command line can sign in with the accounts library", async () => {
  const accounts = betterAuth(accountsOptions());
  const created = await fixture.createOrganization("Signed");
  const added = await fixture.identity.members.add({
    organizationId: created.id,
    email: "Grace@Example.com",
    role: "owner",
    actor: OPERATOR,
  });
  assert(added.outcome === "ok" && added.link, added.outcome);
  const redeemed = present(await fixture.identity.members.redeemLink(added.link.token), "the link");
  const context = await accounts.$context;
  const password = await context.password.hash("a long enough password");
  await context.internalAdapter.linkAccount({
    userId: redeemed.userId,
    accountId: redeemed.userId,
    providerId: "credential",
    password,
  });
  const signedIn = await accounts.api.signInEmail({
    body: { email: "grace@example.com", password: "a long enough password" },
  });
  expect(signedIn.user.id).toBe(added.member.userId);
});
