import { access, constants, mkdir } from "node:fs/promises";
import type { Config } from "../config/index.ts";
import { messageOf } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";

/**
 * Told at the start, and not by the first picture that somebody waited for. Only a warning: whoever sells text alone needs
 * no place for files. A bucket is the doctor's to try, since a start should not wait for somebody else's service.
 */
export async function warnOfUnusableObjects(input: {
  readonly config: Pick<Config, "objects">;
  readonly log: Log;
}): Promise<void> {
  const { objects } = input.config;
  if (objects.kind !== "files") return;
  try {
    // As the store makes it.
    await mkdir(objects.folder, { recursive: true, mode: 0o700 });
    await access(objects.folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    input.log.warn("objects_unusable", {
      error: `The folder ${objects.folder} (BURSAR_OBJECTS_DIR) cannot be used: ${messageOf(error)}`,
    });
  }
}
