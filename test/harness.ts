import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServingServices, startServing } from "../gateway/src/app/services.ts";
import { listen } from "../gateway/src/app/serving/serve.ts";
import { loadConfig } from "../gateway/src/app/settings.ts";
import { createTestDatabase, type TestDatabase } from "../gateway/src/db/testing.ts";
import { type MintRequest, OPERATOR, type Role, SCOPES } from "../gateway/src/identity/index.ts";
import { assert, credits } from "../gateway/src/kit/index.ts";
import { silentLog } from "../gateway/src/telemetry/index.ts";
import { sandboxEnvironment } from "./sandbox.ts";

/**
 * A whole gateway in this process: real PostgreSQL with a clock that the test moves, real HTTP on a free port, and the
 * sandbox as provider. The usual start of a test that goes through HTTP: create organizations with `found()` and call
 * `origin` like any client. Call `close()` in `afterAll`.
 */
export type TestGateway = {
  readonly origin: string;
  readonly services: ServingServices;
  readonly database: TestDatabase;
  /** Creates an organization with a key of all scopes and, unless told otherwise, 10,000 anytime credits. */
  found(options?: FoundOptions): Promise<TestOrganization>;
  close(): Promise<void>;
};

type FoundOptions = {
  plan?: string;
  credits?: number;
  /**
   * False: its plan's month never begins, however long the test takes, so that it has exactly the given credits. That
   * is the default if `credits` is given.
   */
  isRenewed?: boolean;
};

export type TestOrganization = {
  readonly id: string;
  readonly slug: string;
  readonly key: string;
  readonly keyId: string;
  mint(changes?: Partial<MintRequest>): Promise<{ key: string; keyId: string }>;
  addMember(email: string, role?: Role): Promise<string>;
};

/** `options.database` is an existing database, which `environment.DATABASE_URL` may reach by another route. */
export async function startTestGateway(
  environment: Record<string, string> = {},
  options: {
    readonly database?: TestDatabase;
    /** False: leaves video jobs to other nodes. */
    readonly runsVideoJobs?: boolean;
  } = {},
): Promise<TestGateway> {
  const database = options.database ?? (await createTestDatabase());
  const dataDir = mkdtempSync(join(tmpdir(), "bursar-test-"));
  const config = loadConfig(
    {
      DATABASE_URL: database.db.url,
      BURSAR_DATA_DIR: dataDir,
      PORT: "0",
      BURSAR_DEMO: "false",
      ...sandboxEnvironment(),
      ...environment,
    },
    dataDir,
  );
  const services = await startServing(config, {
    log: silentLog,
    runsAudits: false,
    runsVideoJobs: options.runsVideoJobs ?? true,
  });
  const server = listen(services);
  let organizations = 0;

  async function found(options: FoundOptions = {}): Promise<TestOrganization> {
    const name = `org-${++organizations}-${crypto.randomUUID().slice(0, 8)}`;
    const plan = options.plan ?? "enterprise";
    const created = await services.identity.organizations.create({ name, slug: name, plan });
    assert(created.outcome === "ok", `founding ${name}: ${created.outcome}`);
    const { id } = created.organization;
    if (!(options.isRenewed ?? options.credits === undefined)) {
      const kept = await database.db.pool.query(
        `update subscriptions set renews_at = renews_at + interval '20 years'
         where org_id = $1 and renews_at <= bursar_now()`,
        [id],
      );
      // Its month began in the meantime, which happens once in some thousand times: try with another organization.
      if (kept.rowCount === 0) return found(options);
    }
    if (options.credits !== 0) {
      await services.ledger.grant({
        orgId: id,
        pool: "anytime",
        amount: credits(options.credits ?? 10_000),
        reference: null,
        expiresAt: null,
        kind: "manual",
        description: "test",
      });
    }
    const organization = withPeople(services, { id, slug: name });
    return { ...organization, ...(await organization.mint()) };
  }

  return {
    origin: `http://127.0.0.1:${server.port}`,
    services,
    database,
    found,
    async close() {
      await server.stop(1_000);
      await services.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function withPeople(services: ServingServices, organization: { id: string; slug: string }) {
  const { identity } = services;
  return {
    ...organization,
    async mint(changes: Partial<MintRequest> = {}) {
      const minted = await identity.keys.mint({
        organizationId: organization.id,
        name: "test",
        scopes: [...SCOPES],
        actor: OPERATOR,
        ...changes,
      });
      assert(minted.outcome === "ok", `minting: ${minted.outcome}`);
      return { key: minted.secret, keyId: minted.key.id };
    },
    async addMember(email: string, role: Role = "member") {
      const added = await identity.members.add({
        organizationId: organization.id,
        email,
        role,
        actor: OPERATOR,
      });
      assert(added.outcome === "ok", `adding ${email}: ${added.outcome}`);
      return added.member.userId;
    },
  };
}
