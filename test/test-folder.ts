import { mkdtempSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A file system in memory. Databases are created and dropped by the hundred, which takes several times the CPU on a
 * disk.
 */
const IN_MEMORY = "/dev/shm";
/** Ten times what a run uses; if less is free, others need the memory. */
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * A folder for a temporary PostgreSQL cluster, in memory if there is room. A killed process loses no more than it would
 * on a disk, and nothing waits for the disk. Its name contains the process id, so that the next run can remove what a
 * killed one left behind.
 */
export function makeTestFolder(): string {
  const place = hasRoomInMemory() ? IN_MEMORY : tmpdir();
  return mkdtempSync(join(place, `bursar-test-${process.pid}-`));
}

/** Where such folders may be. */
export function testFolderPlaces(): string[] {
  return bytesFreeIn(IN_MEMORY) > 0 ? [tmpdir(), IN_MEMORY] : [tmpdir()];
}

function hasRoomInMemory(): boolean {
  return freemem() > 2 * ROOM_BYTES && bytesFreeIn(IN_MEMORY) > ROOM_BYTES;
}

/** 0 if there is no such folder, as on macOS. */
function bytesFreeIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
