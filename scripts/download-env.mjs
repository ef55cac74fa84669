import { accessSync, constants, lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SetupError } from "./setup-error.mjs";

/** An environment in which npm and Bun can download; a service user often has no writable home. */
export function downloadEnv(given) {
  const env = { ...given };
  if (process.platform === "win32" || canCreateIn(npmCacheOf(env))) return env;
  const own = join(tmpdir(), `bursar-download-${process.getuid()}`);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const found = lstatSync(own);
  // Programs will be run from here: in a world-writable folder, only a directory of our own is safe.
  if (!found.isDirectory() || found.uid !== process.getuid() || (found.mode & 0o022) !== 0)
    throw new SetupError(`${own} belongs to another user: remove it, or set HOME to a folder of your own.`);
  env.npm_config_cache = join(own, "npm");
  env.BUN_INSTALL_CACHE_DIR ??= join(own, "bun");
  return env;
}

export function npmCacheOf(env) {
  return env.npm_config_cache ?? join(env.HOME ?? "/nonexistent", ".npm");
}

function canCreateIn(folder) {
  for (let nearest = folder; dirname(nearest) !== nearest; nearest = dirname(nearest)) {
    try {
      accessSync(nearest, constants.W_OK | constants.X_OK);
      return true;
    } catch (error) {
      if (error.code !== "ENOENT") return false;
    }
  }
  return false;
}
