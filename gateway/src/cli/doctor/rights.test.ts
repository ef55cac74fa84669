import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connectDatabase, migrate } from "../../db/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { type CliHarness, createCliHarness } from "../testing.ts";
import { examineWith, named } from "./testing.ts";

const ROLE = `test_rights_${process.pid}`;
let cli: CliHarness;
let url: string;

beforeAll(async () => {
  cli = await createCliHarness();
  const { pool } = cli.database.db;
  await pool.query(`create role ${ROLE} login password 'x'; grant usage on schema public to ${ROLE}`);
  url = cli.database.db.url.replace(/\/\/[^@]*@/, `//${ROLE}:x@`);
});

afterAll(async () => {
  await cli.database.db.pool.query(`drop owned by ${ROLE}; drop role ${ROLE}`);
  await cli.drop();
});

const open = async () => connectDatabase({ url, poolSize: 1, log: silentLog });
const allow = (rights: string) =>
  cli.database.db.pool.query(`grant ${rights} on all tables in schema public to ${ROLE}`);
const examine = async () => {
  const { code, checks } = await examineWith(cli, {}, { openDatabase: open });
  return { code, rights: named(checks, "rights") };
};

describe("doctor: a role that does not own the tables", () => {
  test("and may not read is broken", async () => {
    expect(await examine()).toEqual({
      code: 1,
      rights: [
        {
          name: "rights",
          state: "broken",
          finding:
            "DATABASE_URL names a role that may not read (permission denied for table schema_migrations)",
          fix: "Set the role that owns the tables in DATABASE_URL, or run `reassign owned by … to …`.",
        },
      ],
    });
  });

  test("and may not write is broken", async () => {
    await allow("select");
    expect(await examine()).toEqual({
      code: 1,
      rights: [
        {
          name: "rights",
          state: "broken",
          finding: expect.stringMatching(
            new RegExp(`^the role ${ROLE} may not write to \\d+ tables, such as account$`),
          ),
          fix: `Set the role that owns the tables in DATABASE_URL, or run \`reassign owned by … to ${ROLE}\`.`,
        },
      ],
    });
  });

  test("and may write can start, with a warning that it cannot create partitions", async () => {
    await allow("insert, update, delete");
    expect(await examine()).toEqual({
      code: 0,
      rights: [
        {
          name: "rights",
          state: "warning",
          finding: `the role ${ROLE} may not make partitions of requests: the calls of all coming months stay in one partition`,
          fix: `Run \`alter table requests owner to ${ROLE}\` and \`grant create on schema … to ${ROLE}\`.`,
        },
      ],
    });
    const db = await open();
    expect(await migrate(db, silentLog)).toEqual({ applied: [] });
    await db.close();
  });

  test("needs only the rights that Bursar uses, on Bursar's own tables", async () => {
    const { pool } = cli.database.db;
    const { rows } = await pool.query<{ owner: string }>("select current_user as owner");
    await pool.query(`create table spatial_ref_sys (id int); revoke all on spatial_ref_sys from ${ROLE}`);
    await pool.query(`revoke update, delete, truncate on entries from ${ROLE}`);
    await pool.query(`alter table requests owner to ${ROLE}; grant create on schema public to ${ROLE}`);
    const finding = await examine();
    await pool.query(`revoke insert on entries from ${ROLE}`);
    const unpaid = await examine();
    await pool.query(`grant all on entries to ${ROLE}; alter table requests owner to "${rows[0]?.owner}"`);
    await pool.query("drop table spatial_ref_sys");
    expect(finding).toEqual({ code: 0, rights: [] });
    expect(unpaid).toMatchObject({
      code: 1,
      rights: [{ finding: `the role ${ROLE} may not write to 1 table, such as entries` }],
    });
  });

  test("nor the functions that an upgrade replaces is broken, once there is an upgrade", async () => {
    const { pool } = cli.database.db;
    const { rows } = await pool.query<{ name: string }>(
      "select name from schema_migrations where name ~ '^\\d+_version$'",
    );
    await pool.query("update schema_migrations set name = '0032_version' where name = $1", [rows[0]?.name]);
    await pool.query(`grant create on schema public to ${ROLE}`);
    const { checks } = await examineWith(cli, {}, { openDatabase: open });
    await pool.query("update schema_migrations set name = $1 where name = '0032_version'", [rows[0]?.name]);
    expect(named(checks, "migrations")).toMatchObject([
      {
        state: "broken",
        finding: `1 migration not applied yet, and the role ${ROLE} does not own the functions`,
        fix: `Set the role that owns the tables in DATABASE_URL, or run \`reassign owned by … to ${ROLE}\`.`,
      },
    ]);
  });

  test("and has read-only sessions is broken", async () => {
    await cli.database.db.pool.query(`alter role ${ROLE} set default_transaction_read_only = on`);
    const { code, rights } = await examine();
    await cli.database.db.pool.query(`alter role ${ROLE} reset default_transaction_read_only`);
    expect([code, rights]).toMatchObject([
      1,
      [{ finding: `the database takes no writes from the role ${ROLE}` }],
    ]);
  });

  test("and whose search_path names no schema is broken", async () => {
    await cli.database.db.pool.query(`alter role ${ROLE} set search_path = nowhere`);
    const { checks } = await examineWith(cli, {}, { openDatabase: open });
    expect(named(checks, "migrations")).toMatchObject([
      {
        state: "broken",
        finding: expect.stringMatching(
          /^1 migration not applied yet, and no schema of the search_path exists$/,
        ),
        fix: "Run `alter role … reset search_path` and `alter database … reset search_path`, or make the schema.",
      },
    ]);
    await cli.database.db.pool.query(`alter role ${ROLE} reset search_path`);
  });
});
