import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { rm, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkObjectStore, openObjectStore } from "../../assets/index.ts";
import { type Config, faultOfSecret } from "../../config/index.ts";
import { sizeText } from "../wording.ts";
import { broken, type Check, fine, fixUnlessFull, reasonOf, secretsOf, warning } from "./check.ts";

/** PostgreSQL stops when its disk is full, so warn early. */
const SCARCE_BYTES = 2 * 1024 ** 3;
const DANGEROUS_BYTES = 200 * 1024 ** 2;

/** The data folder, the store of generated files, and their disks. */
export async function checkStorage(config: Config): Promise<Check[]> {
  const { dataDir, objects } = config;
  return [
    await checkDataFolder(dataDir),
    ...checkSecret(config),
    await checkObjects(objects),
    ...(await Promise.all(disksOf(dataDir, objects).map(checkDisk))),
  ];
}

/** Empty if the secret is set, can be read, or will be created by the first start. */
function checkSecret(config: Config): Check[] {
  const fault = faultOfSecret(config);
  if (fault === null) return [];
  const fix =
    "Restore it from a backup, let this user read it, or remove it to get a new one, which ends all sessions and page cursors.";
  return [broken("secret", reasonOf(fault.replace(/(characters)\. .*/, "$1")), fix)];
}

/** A folder inside the data folder is assumed to share its disk. */
function disksOf(dataDir: string, objects: Config["objects"]): readonly string[] {
  const isApart = objects.kind === "files" && !objects.folder.startsWith(`${dataDir}/`);
  return isApart ? [dataDir, objects.folder] : [dataDir];
}

/**
 * Really writes, reads and deletes: missing permissions, a full disk, a wrong key or a missing bucket only show then.
 */
async function checkObjects(settings: Config["objects"]): Promise<Check> {
  const objects = openObjectStore(settings);
  try {
    await checkObjectStore(objects, settings.kind === "files" ? settings.folder : null);
    return fine("object store", objects.description);
  } catch (error) {
    const fix =
      settings.kind === "s3"
        ? "Check BURSAR_S3_BUCKET and the other BURSAR_S3_ settings, and that the key may read, write and delete there."
        : "Give this user the right to write there, or set BURSAR_OBJECTS_DIR.";
    const reason = reasonOf(error, secretsOf(settings));
    const finding = `${objects.description} cannot be used (${reason})`;
    return broken("object store", finding, fixUnlessFull(error, fix));
  }
}

async function checkDataFolder(folder: string): Promise<Check> {
  const nearest = nearestExisting(folder);
  const probe = join(nearest, `.bursar-doctor-${randomBytes(6).toString("hex")}`);
  try {
    await writeFile(probe, "", { flag: "wx" });
    await rm(probe, { force: true });
    return fine("data folder", nearest === folder ? folder : `${folder} (created when needed)`);
  } catch (error) {
    const fix = "Give this user the right to write there, or set BURSAR_DATA_DIR.";
    return broken(
      "data folder",
      `${nearest} cannot be written to (${reasonOf(error)})`,
      fixUnlessFull(error, fix),
    );
  }
}

async function checkDisk(folder: string): Promise<Check> {
  try {
    const { bavail, bsize } = await statfs(nearestExisting(folder));
    const freeBytes = bavail * bsize;
    const finding = `${sizeText(freeBytes)} free`;
    if (freeBytes < DANGEROUS_BYTES)
      return broken("disk", finding, "Free some space before the database stops.");
    if (freeBytes < SCARCE_BYTES) return warning("disk", finding, "Free some space soon.");
    return fine("disk", finding);
  } catch (error) {
    return warning("disk", `its free space cannot be read (${reasonOf(error)})`, "Check the disk yourself.");
  }
}

function nearestExisting(folder: string): string {
  let nearest = folder;
  // Ends at the root, which always exists.
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  return nearest;
}
