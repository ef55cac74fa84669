import { mkdtempSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

/** Files in memory. Databases are made and dropped by the hundred, and a disk takes several times the CPU for that. */
const IN_MEMORY = "/dev/shm";
/** A run uses a tenth of it; where less is free, it belongs to somebody else. */
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * For a cluster that nobody needs tomorrow: in memory where there is room. A killed process loses no more of it than on
 * a disk, and nobody waits for the disk. Its name says whose it is, so that the next run removes what a killed one left.
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

/** Nothing where there is no such folder, as on a Mac. */
function bytesFreeIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
