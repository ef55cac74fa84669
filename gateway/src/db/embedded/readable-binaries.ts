import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { sha256Hex } from "../../kit/index.ts";
import type { Binaries } from "./postgres-binaries.ts";
import type { SystemUser } from "./postgres-user.ts";

const GROUP_OR_OTHER_WRITES = 0o022;
/** Cleaners of temporary folders skip files with the sticky bit. */
const PLACED_FILE_MODE = 0o1755;
const PLACED_DIR_MODE = 0o755;
/** A copy that somebody else has tampered with is skipped; more than this many means an attack. */
const MAX_PLACES = 8;

/**
 * Binaries that `user` can run: the installed ones, or a copy in the temporary folder if this user may not enter the
 * folder of the installed ones (a clone under /root).
 */
export function readableBinaries(
  installed: Binaries,
  user: SystemUser | null,
  givenTempDir: string = tmpdir(),
): string {
  if (user === null || canRun(installed.dir, user)) return installed.dir;
  // Absolute, because they run in another working directory.
  const tempDir = resolve(givenTempDir);
  const manifest = manifestOf(installed.dir);
  const name = `bursar-postgres-${installed.version}-${sha256Hex(manifest).slice(0, 12)}`;
  for (let place = 0; place < MAX_PLACES; place++) {
    const dir = join(tempDir, place === 0 ? name : `${name}-${place}`);
    if (isOurs(dir) && manifestOf(dir) === manifest) return dir;
    if (placeCopy({ source: installed.dir, dir, tempDir })) return dir;
  }
  return makeCopy(installed.dir, tempDir);
}

function canRun(dir: string, user: SystemUser): boolean {
  for (const folder of ["share", "share/postgresql", "lib", "lib/postgresql"]) {
    if ((statSync(join(dir, folder)).mode & 0o005) !== 0o005) return false;
  }
  const tried = spawnSync(join(dir, "bin", "postgres"), ["--version"], {
    ...user,
    cwd: "/",
    stdio: "ignore",
  });
  return tried.status === 0;
}

/** In a world-writable folder, we trust only what we own and nobody else can change. */
function isOurs(dir: string): boolean {
  const found = lstatSync(dir, { throwIfNoEntry: false });
  return (
    found?.isDirectory() === true &&
    found.uid === process.getuid?.() &&
    (found.mode & GROUP_OR_OTHER_WRITES) === 0
  );
}

/** True if the copy is now at `dir`; false if something else is. */
function placeCopy(input: { source: string; dir: string; tempDir: string }): boolean {
  if (lstatSync(input.dir, { throwIfNoEntry: false })) return false;
  const draft = makeCopy(input.source, input.tempDir);
  try {
    renameSync(draft, input.dir);
    return true;
  } catch {
    // Another process placed its own copy at the same time, which will do if it is complete.
    rmSync(draft, { recursive: true, force: true });
    return isOurs(input.dir) && manifestOf(input.dir) === manifestOf(input.source);
  }
}

function makeCopy(source: string, tempDir: string): string {
  const draft = mkdtempSync(join(tempDir, "bursar-postgres-draft-"));
  cpSync(source, draft, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
  for (const entry of readdirSync(draft, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? PLACED_DIR_MODE : PLACED_FILE_MODE);
  }
  chmodSync(draft, PLACED_DIR_MODE);
  return draft;
}

/** Static libraries are for compilers only. */
function isNeeded(path: string): boolean {
  return !path.endsWith(".a");
}

/** Names and sizes of all files, so that a copy that lost some to a cleaner is not taken for complete. */
function manifestOf(dir: string): string {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isNeeded(entry.name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${relative(dir, path)} ${statSync(path).size}`;
    })
    .sort()
    .join("\n");
}
