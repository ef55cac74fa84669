import { expect, test } from "bun:test";
import { inspectConfig } from "../app/settings.ts";

function problemsOf(query: string): readonly string[] {
  const DATABASE_URL = `postgresql://ada:canary@db.test/books?${query}`;
  return inspectConfig({ DATABASE_URL }, "/nowhere").problems;
}

test.each([
  "",
  "ssl=true",
  "ssl=1",
  "ssl=0",
  "ssl=no-verify",
  "sslmode=verify-full",
  "sslmode=",
  "sslnegotiation=postgres",
  "target_session_attrs=read-write",
  "target_session_attrs=primary",
  "target_session_attrs=any",
])("DATABASE_URL with %p is accepted", (query) => expect(problemsOf(query)).toEqual([]));

test.each([
  ["ssl=false", "DATABASE_URL: ssl must be true, 1, 0 or no-verify; use sslmode for other modes"],
  ["ssl=require", "DATABASE_URL: ssl must be true, 1, 0 or no-verify; use sslmode for other modes"],
  ["sslnegotiation=direct", "DATABASE_URL: must not have sslnegotiation: TLS is asked for in the usual way"],
  [
    "target_session_attrs=prefer-standby",
    'DATABASE_URL: target_session_attrs must be one of any, read-write, primary: Bursar works on no other server (got "prefer-standby")',
  ],
])("DATABASE_URL with %p is refused", (query, problem) => {
  expect(problemsOf(query)).toEqual([problem]);
});

const ONE_HOST =
  "DATABASE_URL: must name one host: after a failover the same name, or a proxy, must lead to the server that takes writes";

test.each([
  "postgresql://ada:canary@h1:5432,h2:5432/books",
  "postgresql://ada:canary@h1,h2/books",
  "postgresql://h1:5432,h2/books?sslmode=verify-full",
  "postgresql://ada:canary@/books?host=h1,h2",
  "postgresql://ada:canary@h1/books?port=5432,5433",
  "postgresql://ada:canary@[::1]:5432,[::2]:5432/books",
])("DATABASE_URL %p is refused, because it names several hosts", (DATABASE_URL) => {
  expect(inspectConfig({ DATABASE_URL }, "/nowhere").problems).toEqual([ONE_HOST]);
});

test.each([
  "postgresql://a,da:can,ary@db.test/books",
  "postgresql://ada:canary@db.test/books?options=-c%20search_path=a,b",
  // A socket's folder as libpq writes it, and as the driver does.
  "postgresql://ada:canary@/books?host=/var/run/postgresql",
  "postgresql:///books?host=/var/run/postgresql&user=ada",
  "postgresql://ada:canary@%2Fvar%2Frun%2Fpostgresql/books",
  "postgresql://ada:canary@/books?host=/tmp/a,b",
  "postgresql://ada:canary@%2Ftmp%2Fa,b/books",
])("DATABASE_URL %p is accepted unchanged", (DATABASE_URL) => {
  const { problems, config } = inspectConfig({ DATABASE_URL }, "/nowhere");
  expect([problems, config.databaseUrl]).toEqual([[], DATABASE_URL]);
});

test.each([
  "postgresql://ada:can@/ary@db.test/books",
  "postgresql://ada:can@/ary@db.test/books?host=h1",
  "postgresql://ada:can,a/ry@db.test/books",
  "postgresql://ada@/books",
])("DATABASE_URL %p is refused as malformed", (DATABASE_URL) => {
  expect(inspectConfig({ DATABASE_URL }, "/nowhere").problems).toEqual([
    "DATABASE_URL: must be an address such as postgresql://user:password@host:5432/database",
  ]);
});

test.each([
  ["sslmode=verify_full", "disable, prefer, require, verify-ca, verify-full, no-verify", "verify_full"],
  ["sslmode=allow", "disable, prefer, require, verify-ca, verify-full, no-verify", "allow"],
  // The driver uses the last of them.
  [
    "sslmode=require&sslmode=Disable",
    "disable, prefer, require, verify-ca, verify-full, no-verify",
    "Disable",
  ],
  ["sslmode=no-verify&uselibpqcompat=true", "disable, prefer, require, verify-ca, verify-full", "no-verify"],
])("DATABASE_URL with %p is refused with the valid modes", (query, modes, got) => {
  expect(problemsOf(query)).toEqual([`DATABASE_URL: sslmode must be one of ${modes} (got "${got}")`]);
});

test.each(["sslrootcert", "sslcert", "sslkey"])(
  "DATABASE_URL whose %s cannot be read is refused, and the file is named",
  (name) => {
    const problem = `DATABASE_URL: must name a file that can be read as ${name} (got "/nope.pem")`;
    expect(problemsOf(`sslmode=verify-full&${name}=/nope.pem`)).toEqual([problem]);
    expect(problemsOf(`sslmode=verify-full&${name}=${import.meta.path}`)).toEqual([]);
  },
);

test.each([
  // What the driver makes of it anyway, with a warning of ten lines at every start.
  ["sslmode=require", "sslmode=verify-full"],
  ["ssl=1&sslmode=prefer&x=1", "ssl=1&sslmode=verify-full&x=1"],
  ["sslmode=verify-ca", "sslmode=verify-full"],
  ["sslmode=no-verify", "sslmode=no-verify"],
  ["sslmode=disable", "sslmode=disable"],
  ["sslmode=require&uselibpqcompat=true", "sslmode=require&uselibpqcompat=true"],
])("DATABASE_URL with %p is read as %p", (query, read) => {
  const start = "postgresql://ada:canary@db.test/books?";
  expect(inspectConfig({ DATABASE_URL: `${start}${query}` }, "/nowhere").config.databaseUrl).toBe(
    `${start}${read}`,
  );
});
