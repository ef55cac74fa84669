import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, sha256Hex } from "../kit/index.ts";

type SqlFile = { name: string; sql: string };

export type SqlSources = ReturnType<typeof readSqlSources>;

/** Files are known by their names, which `test/tidy/sql.test.ts` checks. */
export function readSqlSources(folder = join(ROOT, "gateway", "sql")) {
  // A checkout on Windows may change line ends; that does not make it a different version.
  const read = (name: string) => readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n");
  const names = [...new Bun.Glob("**/*.sql").scanSync(folder)].sort();
  const files = names.map((name) => ({ name, sql: read(name) }));
  const named = (pattern: RegExp) => files.filter(({ name }) => pattern.test(name));
  const version = Number.parseInt(read("version"), 10);
  return {
    version,
    /** Of its row. Releases from before there were versions refuse it as a migration that they do not know. */
    name: `${String(version).padStart(4, "0")}_version`,
    /** Of all other files. */
    digest: sha256Hex(JSON.stringify(files)),
    /** The clock comes first: defaults of columns call it, and it needs no table. */
    tables: named(/^(functions\/bursar_now|tables)\.sql$/),
    /** The same as they were at the base, once they have changed. */
    baseTables: named(/^(functions\/bursar_now|tables-0031)\.sql$/),
    functions: named(/^functions\//),
    bindings: named(/^bindings\.sql$/),
    changes: named(/^changes\//),
  };
}

/** Makes the tables of a version, with neither functions nor bindings. */
export function sqlOfTables({ version, tables, baseTables, changes }: SqlSources, of: number): string {
  if (of === version || changes.length === 0) return textOf(tables);
  return textOf(baseTables.concat(changes.filter((file) => versionOf(file) <= of && !isOfBindings(file))));
}

/**
 * Brings a database of a version to this one. Where it has its bindings, only changes touch tables, so that a version which
 * replaces functions makes no call wait for a lock.
 */
export function sqlToComplete(sources: SqlSources, from: number, hasBindings: boolean): string {
  const changes = sources.changes.filter((file) => versionOf(file) > from);
  const ofTables = changes.filter((file) => !isOfBindings(file));
  const bindings = hasBindings ? changes.filter(isOfBindings) : sources.bindings;
  // Functions call each other, so no order of theirs would do; a test has the server check each.
  return `set local check_function_bodies = off;${textOf(ofTables.concat(sources.functions, bindings))}`;
}

export const versionOf = ({ name }: SqlFile) => Number.parseInt(name.slice(8), 10);
const isOfBindings = ({ name }: SqlFile) => name.endsWith(".bindings.sql");
const textOf = (files: SqlFile[]) => files.map(({ sql }) => sql).join(";\n");
