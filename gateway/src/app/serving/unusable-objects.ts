import { access, constants, mkdir } from "node:fs/promises";
import type { Config } from "../../config/index.ts";
import { messageOf } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";

/**
 * Reported at the start, not by the first image that somebody waited for. Only a warning: an operator that sells text
 * alone needs no place for files. Buckets are left to the doctor, since a start should not wait for somebody else's
 * service.
 */
export async function warnOfUnusableObjects(input: {
  readonly config: Pick<Config, "objects">;
  readonly log: Log;
}): Promise<void> {
  const { objects } = input.config;
  if (objects.kind !== "files") return;
  try {
    // Created as the store creates it.
    await mkdir(objects.folder, { recursive: true, mode: 0o700 });
    await access(objects.folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    input.log.warn("objects_unusable", {
      error: `The folder ${objects.folder} (BURSAR_OBJECTS_DIR) cannot be used: ${messageOf(error)}`,
    });
  }
}
