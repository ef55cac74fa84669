import type { Database } from "../db/index.ts";
import { createTestDatabase, type TestDatabase } from "../db/testing.ts";
import { assert, type Clock, systemClock } from "../kit/index.ts";
import { silentLog } from "../telemetry/index.ts";
import {
  createIdentity,
  type Identity,
  type MintedKey,
  OPERATOR,
  type OrganizationRecord,
  SCOPES,
} from "./index.ts";

/** A test database with an identity on it, and the steps that most tests begin with. */
export type IdentityFixture = TestDatabase & {
  readonly identity: Identity;
  /**
   * Opens another node on the same database, optionally with a wrapped `db` or a moved clock. Closed with the fixture.
   */
  openNode(db?: Database, clock?: Clock): Promise<Identity>;
  createOrganization(name?: string): Promise<OrganizationRecord>;
  mintKey(organizationId: string): Promise<MintedKey>;
  addMember(organizationId: string, role?: string): Promise<{ userId: string; email: string; token: string }>;
  close(): Promise<void>;
};

export const TEST_KEY_PREFIX = "svc_live_";

export async function createIdentityFixture(): Promise<IdentityFixture> {
  const database = await createTestDatabase();
  const nodes: Identity[] = [];
  let people = 0;

  async function openNode(db: Database = database.db, clock: Clock = systemClock): Promise<Identity> {
    const node = await createIdentity({ db, log: silentLog, keyPrefix: TEST_KEY_PREFIX, clock });
    nodes.push(node);
    return node;
  }
  const identity = await openNode();

  return {
    ...database,
    identity,
    openNode,
    async createOrganization(name = "Acme") {
      const created = await identity.organizations.create({ name, plan: "free" });
      assert(created.outcome === "ok", `organization: ${created.outcome}`);
      return created.organization;
    },
    async mintKey(organizationId) {
      const minted = await identity.keys.mint({
        organizationId,
        name: "Test",
        scopes: SCOPES,
        actor: OPERATOR,
      });
      assert(minted.outcome === "ok", `key: ${minted.outcome}`);
      return minted;
    },
    async addMember(organizationId, role = "member") {
      const email = `person-${++people}@example.com`;
      const added = await identity.members.add({ organizationId, email, role, actor: OPERATOR });
      assert(added.outcome === "ok", `member: ${added.outcome}`);
      return { userId: added.member.userId, email, token: added.link?.token ?? "" };
    },
    async close() {
      await Promise.all(nodes.map((node) => node.close()));
      await database.drop();
    },
  };
}

/** Polls until the condition holds; the limit is the guarantee under test. */
export async function until(holds: () => boolean | Promise<boolean>, limitMs: number): Promise<number> {
  const startedMs = performance.now();
  while (!(await holds())) {
    const waitedMs = performance.now() - startedMs;
    assert(waitedMs < limitMs, `did not happen within ${limitMs} ms`);
    await Bun.sleep(5);
  }
  return performance.now() - startedMs;
}
