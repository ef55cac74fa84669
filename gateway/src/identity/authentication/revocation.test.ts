import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import net from "node:net";
import pg from "pg";
import type { Database } from "../../db/index.ts";
import { assert } from "../../kit/index.ts";
import { type Identity, OPERATOR, type OrganizationRecord } from "../index.ts";
import { createIdentityFixture, type IdentityFixture, until } from "../testing.ts";

const ONE_SECOND = 1_000;

let fixture: IdentityFixture;
let organization: OrganizationRecord;

beforeAll(async () => {
  fixture = await createIdentityFixture();
  organization = await fixture.createOrganization();
});

afterAll(() => fixture.close());

async function isGood(node: Identity, secret: string): Promise<boolean> {
  return (await node.authenticate(`Bearer ${secret}`)).outcome === "ok";
}

/** A key that the node has cached and trusts: answered without a query. */
async function warmKey(node: Identity): Promise<{ secret: string; keyId: string }> {
  const { secret, key } = await fixture.mintKey(organization.id);
  await until(async () => {
    const answer = node.authenticate(`Bearer ${secret}`);
    await answer;
    return !(answer instanceof Promise);
  }, 5_000);
  return { secret, keyId: key.id };
}

async function revoke(keyId: string): Promise<void> {
  const revoked = await fixture.identity.keys.revoke({
    organizationId: organization.id,
    keyId,
    actor: OPERATOR,
  });
  assert(revoked.outcome === "ok", revoked.outcome);
}

/** The database behind a connection that a test can let go dead without closing it. */
async function dressInDeadableWire(db: Database) {
  const target = new pg.Client({ connectionString: db.url });
  const sockets: net.Socket[] = [];
  let dead = false;
  const proxy = net.createServer((near) => {
    const far = target.host.startsWith("/")
      ? net.connect(`${target.host}/.s.PGSQL.${target.port}`)
      : net.connect(target.port, target.host);
    sockets.push(near, far);
    near.on("data", (bytes) => dead || far.write(bytes));
    far.on("data", (bytes) => dead || near.write(bytes));
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on("error", () => {});
      socket.on("close", () => dead || other.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  assert(address !== null && typeof address === "object", "the proxy listens");
  return {
    db: {
      ...db,
      async connect() {
        const client = new pg.Client({
          host: "127.0.0.1",
          port: address.port,
          user: target.user,
          password: target.password,
          database: target.database,
          connectionTimeoutMillis: 500,
        });
        client.on("error", () => {});
        await client.connect();
        return client;
      },
    } satisfies Database,
    die: () => {
      dead = true;
    },
    heal: () => {
      dead = false;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

describe("a revoked key is refused within a second", () => {
  test("on a node that listens", async () => {
    const node = await fixture.openNode();
    const { secret, keyId } = await warmKey(node);
    await revoke(keyId);
    await until(async () => !(await isGood(node, secret)), ONE_SECOND);
  });

  test("on a node whose listening connection is killed at that moment", async () => {
    const node = await fixture.openNode();
    const { secret, keyId } = await warmKey(node);
    await Promise.all([
      fixture.db.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and query like 'select version, extract%'`,
      ),
      revoke(keyId),
    ]);
    await until(async () => !(await isGood(node, secret)), ONE_SECOND);
    // The node recovers: it trusts its cache again.
    await warmKey(node);
  });

  test("on a node whose listening connection goes dead silently, and which recovers", async () => {
    const wire = await dressInDeadableWire(fixture.db);
    const node = await fixture.openNode(wire.db);
    const { secret, keyId } = await warmKey(node);
    const bystander = await warmKey(node);
    wire.die();
    await revoke(keyId);
    await until(async () => !(await isGood(node, secret)), ONE_SECOND);
    expect(await isGood(node, bystander.secret)).toBe(true);
    wire.heal();
    await warmKey(node);
    await node.close();
    wire.close();
  });

  test("when somebody changes its row by hand, or empties the table", async () => {
    const node = await fixture.openNode();
    const first = await warmKey(node);
    await fixture.db.pool.query("update api_keys set expires_at = bursar_now() where id = $1", [first.keyId]);
    await until(async () => !(await isGood(node, first.secret)), ONE_SECOND);
    const second = await warmKey(node);
    await fixture.db.pool.query("truncate api_keys cascade");
    await until(async () => !(await isGood(node, second.secret)), ONE_SECOND);
  });
});

describe("a change", () => {
  test("in one organization, announced by message, leaves the others cached", async () => {
    const node = await fixture.openNode();
    const bystander = await warmKey(node);
    const other = await fixture.createOrganization("Busy");
    // A check at that very moment may notice first and clear the cache: then try again.
    for (let round = 0; ; round++) {
      const { secret, key } = await fixture.mintKey(other.id);
      expect(await isGood(node, secret)).toBe(true);
      await fixture.identity.keys.revoke({ organizationId: other.id, keyId: key.id, actor: OPERATOR });
      await until(async () => !(await isGood(node, secret)), ONE_SECOND);
      const answer = node.authenticate(`Bearer ${bystander.secret}`);
      if (!(answer instanceof Promise)) break;
      await answer;
      expect(round).toBeLessThan(5);
    }
  });

  test("in many organizations in one transaction raises the version by one and announces each", async () => {
    const ids = await Promise.all(
      ["One", "Two", "Three"].map(async (n) => (await fixture.createOrganization(n)).id),
    );
    const listener = await fixture.db.connect();
    const heard: string[] = [];
    listener.on("notification", (message) => heard.push(message.payload ?? ""));
    await listener.query("listen bursar_identity");
    const version = async () =>
      Number((await fixture.db.pool.query("select version from identity_version")).rows[0]?.version);
    const before = await version();
    await fixture.db.pool.query("update organization set plan = 'pro' where id = any($1)", [ids]);
    expect(await version()).toBe(before + 1);
    await until(() => heard.length === 3, ONE_SECOND);
    expect(heard.sort()).toEqual(ids.map((id) => `${before + 1} ${id}`).sort());
    await listener.end();
  });

  test("of a key's last use does not raise the version", async () => {
    const { secret } = await fixture.mintKey(organization.id);
    const node = await fixture.openNode();
    expect(await isGood(node, secret)).toBe(true);
    const version = async () => (await fixture.db.pool.query("select version from identity_version")).rows[0];
    const before = await version();
    await node.close();
    const { rows } = await fixture.db.pool.query(
      "select last_used_at from api_keys where last_used_at is not null",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(await version()).toEqual(before);
  });

  test("that adds a member is known immediately, and one that removes a member within a second", async () => {
    const node = await fixture.openNode();
    const { userId } = await fixture.addMember(organization.id);
    expect(await node.members.isMember(organization.id, userId)).toBe(true);
    await until(() => node.members.isMember(organization.id, userId) === true, ONE_SECOND);
    await fixture.identity.members.remove({ organizationId: organization.id, userId, actor: OPERATOR });
    await until(async () => !(await node.members.isMember(organization.id, userId)), ONE_SECOND);
  });
});

test("a node starts while its listening connection fails, and connects later", async () => {
  let away = true;
  const db: Database = {
    ...fixture.db,
    connect: () => (away ? Promise.reject(new Error("connection refused")) : fixture.db.connect()),
  };
  const node = await fixture.openNode(db);
  const { secret } = await fixture.mintKey(organization.id);
  expect(await isGood(node, secret)).toBe(true);
  away = false;
  await warmKey(node);
});
