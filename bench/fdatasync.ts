import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { median } from "./table.ts";

/** What a durable write costs on this disk: the minimum for every commit. */
export function fdatasyncMedianMs(folder: string): number {
  const path = join(folder, "fdatasync-probe");
  const file = openSync(path, "w");
  const block = Buffer.alloc(8192, 1);
  const times: number[] = [];
  for (let i = 0; i < 200; i++) {
    writeSync(file, block);
    const startedMs = performance.now();
    fdatasyncSync(file);
    times.push(performance.now() - startedMs);
  }
  closeSync(file);
  rmSync(path);
  return median(times);
}
