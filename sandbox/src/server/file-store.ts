import { createHash, randomUUID } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { readdir, rename, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";

/** Files under names that say nothing but what they are the same as; several processes may share a folder. */
export type FileStore = {
  /** Keeps it, and drops what is too old or too much. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Null if it was never kept here, or is gone. */
  find(name: string): Promise<Bun.BunFile | null>;
};

export type StoreBounds = { readonly maxBytes: number; readonly maxAgeMs: number };

const NAME = /^[0-9a-f]{32}(?:\.[a-z0-9]{1,5})?$/;

/** The same content has the same name everywhere. */
export function nameOfContent(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\n");
  return hash.digest("hex").slice(0, 32);
}

export function createFileStore(folder: string, { maxBytes, maxAgeMs }: StoreBounds): FileStore {
  /** Only its owner's: prompts and pictures of others lie in it. */
  function openFolder(): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? 0))
      throw new Error(`${folder} belongs to somebody else`);
  }
  openFolder();

  async function sweep(): Promise<void> {
    const names = (await readdir(folder)).filter((name) => NAME.test(name));
    const found = await Promise.all(
      names.map(async (name) => ({ name, at: await stat(join(folder, name)).catch(() => null) })),
    );
    const files = found.flatMap(({ name, at }) =>
      at === null ? [] : [{ name, ms: at.mtimeMs, bytes: at.size }],
    );
    let kept = 0;
    for (const { name, ms, bytes } of files.toSorted((one, other) => other.ms - one.ms)) {
      kept += bytes;
      if (kept > maxBytes || Date.now() - ms > maxAgeMs) await unlink(join(folder, name)).catch(() => {});
    }
  }

  return {
    async put(name, bytes) {
      // Temporary folders are cleared of what nobody has used for long.
      openFolder();
      const part = join(folder, `${nameOfContent(randomUUID())}.part`);
      await Bun.write(part, bytes);
      await rename(part, join(folder, name));
      await sweep();
    },
    async find(name) {
      if (!NAME.test(name)) return null;
      const path = join(folder, name);
      const file = Bun.file(path);
      if (!(await file.exists())) return null;
      // What is used stays.
      const now = new Date();
      await utimes(path, now, now).catch(() => {});
      return file;
    },
  };
}
