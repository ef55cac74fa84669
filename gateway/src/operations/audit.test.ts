import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createReadLimiter } from "../admission/index.ts";
import { runCli } from "../cli/index.ts";
import {
  type ConsoleFixture,
  createConsoleFixture,
  okOf,
  type TestBrowser,
} from "../http/console/testing.ts";
import { createManagement } from "../http/index.ts";
import { OPERATOR } from "../identity/index.ts";
import { armFailpoint, assert, systemClock } from "../kit/index.ts";
import { verifyLedger } from "../ledger/index.ts";
import { OPERATORS_CHAIN, saveAct } from "./audit-store.ts";

let fixture: ConsoleFixture;
let orgId: string;
let ownerEmail: string;
let owner: TestBrowser;

beforeAll(async () => {
  fixture = await createConsoleFixture();
  orgId = (await fixture.createOrganization("Acme")).id;
  ownerEmail = (await fixture.addMember(orgId, "owner")).email;
  owner = await fixture.signIn(ownerEmail);
});
afterAll(() => fixture.close());

async function acts(chain = orgId) {
  const { rows } = await fixture.db.pool.query<Record<string, unknown>>(
    `select actor_kind, actor_name, face, operation, object_kind, object_name, before, after
     from audit where chain = $1 order by seq`,
    [chain],
  );
  return rows;
}

async function managementKey(organizationId: string | null, ...scopes: string[]): Promise<string> {
  const ends = { expiresInMs: null, expiresAt: null, mintedBy: null };
  const minted = await fixture.identity.managementKeys.mint({ organizationId, name: "CI", scopes, ...ends });
  assert(minted.outcome === "ok", minted.outcome);
  return minted.secret;
}

function rest(secret: string, method: string, path: string, body?: object): Promise<Response> {
  const { operations, identity } = fixture;
  const management = createManagement({
    operations,
    identity,
    catalog: operations.catalog,
    readLimiter: createReadLimiter(systemClock),
    publicUrl: operations.publicUrl,
  });
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  return management.handle(new Request(`http://127.0.0.1/manage/v1${path}`, init), "10.0.0.9");
}

async function cli(...argv: string[]): Promise<string> {
  let out = "";
  const terminal = {
    colors: false,
    write: (text: string) => {
      out += text;
    },
    writeError: () => {},
  };
  const { config } = { config: { databaseUrl: fixture.db.url } };
  const host = {
    terminal,
    inspectConfig: () => ({ config, problems: [] }),
    openServices: async () => ({ ...fixture.operations, serving: null, close: async () => {} }),
  };
  const code = await runCli(argv, host as never);
  assert(code === 0, out);
  return out;
}

describe("an act", () => {
  test("leaves equal rows through console, command line and REST, but for face and actor", async () => {
    const before = (await acts()).length;
    okOf(await owner.command("key.create", { name: "Nightly", scopes: ["chat"], inFlight: 2 }));
    const secret = await managementKey(orgId, "keys:write");
    const body = { name: "Nightly", scopes: ["chat"], in_flight: 2 };
    expect((await rest(secret, "POST", "/organizations/acme/keys", body)).status).toBe(200);
    await cli("key", "create", "--org", "acme", "--name", "Nightly", "--scopes", "chat", "--in-flight", "2");
    const added = (await acts()).slice(before);
    expect(added.map(({ face, actor_kind }) => [face, actor_kind])).toEqual([
      ["console", "person"],
      ["rest", "key"],
      ["cli", "operator"],
    ]);
    const facts = added.map(({ face: _, actor_kind: __, actor_name: ___, ...row }) => row);
    expect(facts[0]).toEqual({
      operation: "key.create",
      object_kind: "key",
      object_name: "Nightly",
      before: null,
      after: { name: "Nightly", scopes: ["chat"], requestsPerMinute: null, inFlight: 2, expiresAt: null },
    });
    expect([facts[1], facts[2]]).toEqual([facts[0], facts[0]]);
  });

  test("of an operator stands in the organization's chain and in the operator's", async () => {
    const before = (await acts(OPERATORS_CHAIN)).length;
    await cli(
      "credits",
      "grant",
      "--org",
      "acme",
      "--pool",
      "anytime",
      "--amount",
      "7",
      "--reference",
      "gift",
    );
    const [own] = (await acts(OPERATORS_CHAIN)).slice(before);
    expect(own).toEqual((await acts()).at(-1));
    expect(own).toMatchObject({ operation: "credits.grant", after: { amount: 7, reference: "gift" } });
  });

  test("says what a setting was before", async () => {
    okOf(await owner.command("organization.update", { efficiency: "structural" }));
    expect((await acts()).at(-1)).toMatchObject({
      before: { efficiency: "safe" },
      after: { efficiency: "structural" },
    });
    const count = (await acts()).length;
    okOf(await owner.command("organization.update", { efficiency: "structural" }));
    expect(await acts()).toHaveLength(count);
  });

  test.each(["after_change_before_audit", "after_audit_before_commit"] as const)(
    "that dies at %s has changed nothing",
    async (point) => {
      const state = async () => [await acts(), await fixture.identity.keys.list(orgId)];
      const before = await state();
      const disarm = armFailpoint(point, async () => {
        await fixture.db.pool.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
        );
      });
      expect((await owner.command("key.create", { name: "Lost", scopes: ["chat"] })).status).toBe(500);
      disarm();
      expect(await state()).toEqual(before);
    },
  );

  test("may name only fields of the closed list", async () => {
    const act = {
      chains: [orgId],
      actor: { kind: "operator", id: null, name: "operator" },
      face: "cli",
      operation: "key.create",
      object: { kind: "key", id: "x", name: null },
      before: null,
    };
    await expect(saveAct(fixture.db, { ...act, after: { secret: "svc_live_x" } as never })).rejects.toThrow(
      "secret",
    );
  });
});

describe("what the accounts library writes", () => {
  test("stands in the log: sign-in, a new password, sign-out", async () => {
    const before = (await acts()).length;
    const browser = fixture.openBrowser();
    okOf(await browser.command("redeem-link", { token: await fixture.linkFor(ownerEmail, "set-password") }));
    okOf(await browser.command("choose-password", { password: "four words of mine" }));
    okOf(await browser.command("sign-out", {}));
    const added = (await acts())
      .slice(before)
      .map(({ operation, face, object_name }) => [operation, face, object_name]);
    const operations = new Set(added.map(([operation]) => operation));
    expect(operations).toEqual(new Set(["session.open", "session.end", "password.set"]));
    expect(new Set(added.map(([, face, name]) => `${face} ${name}`))).toEqual(
      new Set([`console ${ownerEmail}`]),
    );
    // Both windows of the owner are signed out by a new password.
    owner = await fixture.signIn(ownerEmail);
  });

  test("is left out where an operation says it", async () => {
    const { email } = await fixture.addMember((await fixture.createOrganization("Other")).id);
    await fixture.db.pool.query(`update "user" set "emailVerified" = false where email = $1`, [email]);
    const count = (await acts()).length;
    await cli("member", "add", "--org", "acme", "--email", email, "--role", "member");
    expect((await acts()).slice(count).map(({ operation }) => operation)).toEqual(["member.add"]);
  });
});

describe("the log", () => {
  test("is read by owners, page by page and filtered, and by nobody below them", async () => {
    const all = okOf(await owner.query("audit.list", { limit: 200 })).rows;
    const first = okOf(await owner.query("audit.list", { limit: 3 }));
    const second = okOf(await owner.query("audit.list", { limit: 3, cursor: first.nextCursor ?? "" }));
    expect([...first.rows, ...second.rows]).toEqual(all.slice(0, 6));
    const filtered = okOf(await owner.query("audit.list", { operation: "key.create", face: "rest" })).rows;
    expect(filtered.map(({ face, operation }) => [face, operation])).toEqual([["rest", "key.create"]]);
    const admin = await fixture.signIn((await fixture.addMember(orgId, "admin")).email);
    expect((await admin.query("audit.list", {})).status).toBe(403);
    expect((await owner.query("installation:audit.list", {})).status).toBe(403);
    await fixture.identity.operators.add(ownerEmail);
    expect(okOf(await owner.query("installation:audit.list", {})).rows.length).toBeGreaterThan(0);
    await fixture.identity.operators.remove(ownerEmail);
  });

  test("is exported as CSV that no spreadsheet runs", async () => {
    okOf(await owner.command("key.create", { name: "=HYPERLINK()", scopes: ["chat"] }));
    const response = await rest(
      await managementKey(orgId, "audit:read"),
      "GET",
      "/organizations/acme/audit.csv",
    );
    const lines = (await response.text()).trim().split("\r\n");
    expect(response.headers.get("content-type")).toContain("text/csv");
    expect(lines).toHaveLength((await acts()).length + 1);
    expect(lines[1]).toContain("'=HYPERLINK()");
  });

  test("can only grow, and an edited, removed or forged row is found", async () => {
    const { pool } = fixture.db;
    expect((await verifyLedger(fixture.db)).faults).toEqual([]);
    await expect(pool.query("update audit set actor_name = 'nobody'")).rejects.toThrow("append-only");
    const edits = [
      ["update audit set actor_name = 'nobody' where chain = $1 and seq = 2", "act 2"],
      ["delete from audit where chain = $1 and seq = 2", "act 3"],
      ["delete from audit where chain = $1 and seq = (select max(seq) from audit where chain = $1)", "act"],
    ] as const;
    for (const [sql, row] of edits) {
      const client = await pool.connect();
      await client.query("begin");
      await client.query("alter table audit disable trigger audit_is_append_only");
      await client.query(sql, [orgId]);
      const { faults } = await verifyLedger({ ...fixture.db, pool: client as never }, { orgId });
      expect(faults).toContainEqual(
        expect.objectContaining({ orgId, table: "audit", row: expect.stringContaining(row) }),
      );
      await client.query("rollback");
      client.release();
    }
    expect((await verifyLedger(fixture.db)).faults).toEqual([]);
  });

  test("keeps its chains under fifty acts at once", async () => {
    const made = Array.from({ length: 50 }, (_, at) =>
      fixture.identity.keys.mint({
        organizationId: orgId,
        name: `k${at}`,
        scopes: ["chat"],
        actor: OPERATOR,
      }),
    );
    await Promise.all(made);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => owner.command("key.create", { name: "Many", scopes: ["chat"] })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await verifyLedger(fixture.db)).faults).toEqual([]);
  });
});
