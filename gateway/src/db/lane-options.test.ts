import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../telemetry/index.ts";
import { connectDatabase } from "./database.ts";
import { type Door, type Knock, LOCALHOST_CA, openDoor } from "./knock-testing.ts";
import { createTestDatabase } from "./testing.ts";

let door: Door;
let folder: string;
beforeAll(async () => {
  door = await openDoor();
  folder = mkdtempSync(join(tmpdir(), "bursar-ca-"));
  writeFileSync(join(folder, "ca.pem"), LOCALHOST_CA);
});
afterAll(() => {
  door.close();
  rmSync(folder, { recursive: true, force: true });
});

const USUAL = {
  over: "clear",
  user: "ada",
  password: "p",
  database: "books",
  options: undefined,
  unwelcome: [],
} as const;
const TLS = { ...USUAL, over: "tls" } as const;
const AT = "ada:p@127.0.0.1:PORT/books";
const NAMED = "ada:p@localhost:PORT/books";

/**
 * PORT stands for the test server's port, CA for the file with its certificate, which is for localhost. Null if the
 * client never gets to log in.
 */
const ADDRESSES: readonly (readonly [string, Knock | null])[] = [
  [AT, USUAL],
  [`${AT}?sslmode=disable`, USUAL],
  [`${AT}?ssl=0`, USUAL],
  ["elsewhere.invalid/books?host=127.0.0.1&port=PORT&user=ada&password=p", USUAL],
  ["ada:p%40%2F@127.0.0.1:PORT/my%20books", { ...USUAL, password: "p@/", database: "my books" }],
  ["ada:p@127.0.0.1:PORT", { ...USUAL, database: "ada" }],
  [`${AT}?options=-c%20search_path%3Dbooks`, { ...USUAL, options: "-c search_path=books" }],
  [`${AT}?sslmode=no-verify`, TLS],
  [`${AT}?ssl=no-verify`, TLS],
  [`${AT}?ssl=true`, null],
  [`${AT}?sslmode=require`, null],
  [`${AT}?sslmode=verify-full`, null],
  [`${AT}?uselibpqcompat=true&sslmode=require`, TLS],
  [`${NAMED}?sslrootcert=CA`, TLS],
  [`${NAMED}?sslmode=verify-full&sslrootcert=CA`, TLS],
  [`${AT}?sslmode=verify-full&sslrootcert=CA`, null],
  [`${AT}?uselibpqcompat=true&sslmode=verify-ca&sslrootcert=CA`, TLS],
];

describe("the pool and the lanes read DATABASE_URL alike", () => {
  for (const [address, expected] of ADDRESSES) {
    test(address, async () => {
      const place = address.replace("PORT", String(door.port)).replace("CA", join(folder, "ca.pem"));
      const db = connectDatabase({ url: `postgresql://${place}`, poolSize: 1, log: silentLog });
      await expect(db.pool.query("select 1")).rejects.toThrow();
      const byPool = door.takeKnocks()[0] ?? null;
      await expect(db.lane("paid").query("select 1", [])).rejects.toThrow();
      const byLane = door.takeKnocks()[0] ?? null;
      await db.close();
      expect({ byPool, byLane }).toEqual({ byPool: expected, byLane: expected });
    });
  }

  test("and PostgreSQL accepts the options of both", async () => {
    const { db: plain, drop } = await createTestDatabase();
    const url = new URL(plain.url);
    url.searchParams.set("options", "-c search_path=books");
    const db = connectDatabase({ url: url.href, poolSize: 1, log: silentLog });
    const shown = [{ search_path: "books" }];
    expect((await db.pool.query("show search_path")).rows).toEqual(shown);
    expect([...(await db.lane("paid").query("show search_path", []))]).toEqual(shown);
    await db.close();
    await drop();
  });
});
