import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import BUNDLED from "./bundled-data.json" with { type: "json" };
import { type LockedPackage, type LockFile, readLockFiles } from "./lock-file.ts";
import { licenceOf, runtimeTree } from "./sbom.ts";

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/** The licences of everything that may be inside the gateway's bundle, once each text with all whom it covers. */
export function makeNotices(root: string): string {
  const [lock] = readLockFiles(root);
  if (lock === undefined) throw new Error("There is no bun.lock.");
  const covered = new Map<string, string[]>();
  for (const { locked } of runtimeTree(lock)) {
    const text = `${licenceOf(lock, locked)}\n\n${licenceText(lock, locked)}`.trim();
    covered.set(text, [...(covered.get(text) ?? []), `${locked.name} ${locked.version}`]);
  }
  const parts = BUNDLED.map(
    ({ name, inside, licence, note }) => `${name} (in ${inside}): ${licence}; ${note}`,
  );
  const texts = [...covered].map(([text, names]) => `${[...new Set(names)].join(", ")}\n${text}`);
  return ["What Bursar is made with, and under which licences.", parts.join("\n"), ...texts].join(
    "\n\n----------------------------------------\n\n",
  );
}

function licenceText({ folder }: LockFile, { place }: LockedPackage): string {
  const at = join(folder, "node_modules", place.join("/node_modules/"));
  if (!existsSync(at)) return "";
  const files = readdirSync(at).filter((name) => LICENCE_FILE.test(name));
  return files.map((name) => readFileSync(join(at, name), "utf8").trim()).join("\n\n");
}
