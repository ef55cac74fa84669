import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ObjectStoreSettings } from "../../assets/index.ts";
import { secretPath } from "../../config/index.ts";
import { backupPaths } from "./backup-folder.ts";
import { filesBelow } from "./copy-objects.ts";

/**
 * Notes which files are there before a restore, and returns what removes those that it added. Objects in a bucket stay:
 * another gateway may use it, and nothing tells its objects from ours.
 */
export async function noteFiles(input: {
  readonly folder: string;
  readonly objects: ObjectStoreSettings;
  readonly dataDir: string;
}): Promise<() => Promise<void>> {
  const to = input.objects.kind === "files" ? input.objects.folder : null;
  const before = new Set(to === null ? [] : await filesBelow(to));
  const secret = secretPath(input.dataDir);
  const hadSecret = existsSync(secret);
  return async () => {
    const copied = to === null ? [] : await filesBelow(backupPaths.objects(input.folder));
    for (const path of copied) {
      if (to !== null && !before.has(path)) await rm(join(to, path), { force: true });
    }
    if (!hadSecret) await rm(secret, { force: true });
  };
}
