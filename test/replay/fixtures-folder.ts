import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dir, "..", "..", "..", "shared", "fixtures");

/** Recorded traffic is kept beside the project, not in it: it is large and not ours. */
export const hasFixtures = existsSync(FOLDER);
if (!hasFixtures) console.log("replay: no recordings here, nothing is replayed");

export type FixtureFile = { readonly path: string; read(): string };

/** Every recorded file, with its path within the folder; empty if the folder does not exist. */
export function fixtureFiles(): readonly FixtureFile[] {
  if (!hasFixtures) return [];
  return readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(json|txt|sse)$/.test(path))
    .toSorted()
    .map((path) => ({ path, read: () => readFileSync(join(FOLDER, path), "utf8") }));
}
