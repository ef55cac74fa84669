import { closeSync, fsyncSync, openSync } from "node:fs";

/** A file or a folder: what was written is there after a power cut. */
export function syncToDisk(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
