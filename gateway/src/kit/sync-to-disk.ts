import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes what was written to a file or folder survive a power cut. */
export function syncToDisk(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
