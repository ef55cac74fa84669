import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { databaseUrlOf } from "../../gateway/src/db/testing.ts";
import { startTestServer } from "../test-server.ts";

/** What tests may read; they do not need the rest of the tree. */
const PARTS = [
  "gateway",
  "compaction",
  "sandbox",
  "test",
  "scripts",
  "bench",
  "console",
  "bin",
  "bunfig.toml",
  "package.json",
  "tsconfig.json",
];

const PACKAGES = "node_modules";

type TreeCopy = {
  readonly folder: string;
  write(path: string, text: string): void;
  remove(): void;
};

/** Mutants are written to a copy, so that nobody who works in the tree itself meets one. */
export function copyTree(root: string): TreeCopy {
  const folder = mkdtempSync(join(tmpdir(), "bursar-mutants-"));
  for (const part of PARTS) {
    const filter = (from: string) => !from.endsWith(PACKAGES);
    if (existsSync(join(root, part)))
      cpSync(join(root, part), join(folder, part), { recursive: true, filter });
  }
  for (const packages of [PACKAGES, join("sandbox", PACKAGES)])
    if (existsSync(join(root, packages))) symlinkSync(join(root, packages), join(folder, packages));
  return {
    folder,
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Where one mutant at a time is tried: a copy of the tree and, if tests need one, its own PostgreSQL. */
export type Place = {
  readonly tree: TreeCopy;
  readonly databaseUrl: string;
  /** Replaces a function in the template of the test databases; false if the server rejects it as invalid SQL. */
  replaceFunction(sql: string): Promise<boolean>;
  /** Drops databases left behind by tests that were cut short. */
  dropLeftovers(): Promise<void>;
  close(): Promise<void>;
};

export async function openPlace(root: string, needsDatabase: boolean): Promise<Place> {
  const tree = copyTree(root);
  const server = needsDatabase ? await startTestServer() : undefined;
  const url = server?.url ?? "";
  return {
    tree,
    databaseUrl: url,
    async replaceFunction(sql) {
      try {
        await query(databaseUrlOf(url, "bursar_template"), sql);
        return true;
      } catch {
        return false;
      }
    },
    async dropLeftovers() {
      if (server === undefined) return;
      const names = await query(url, "select datname from pg_database where datname like 'test\\_%'");
      for (const { datname } of names) await query(url, `drop database if exists ${datname} with (force)`);
    },
    async close() {
      tree.remove();
      await server?.stop();
    },
  };
}

async function query(url: string, sql: string): Promise<{ datname: string }[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return (await client.query<{ datname: string }>(sql)).rows;
  } finally {
    await client.end();
  }
}
