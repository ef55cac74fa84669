import { inspectConfig as inspectWith, soundConfig } from "../config/index.ts";
import { VENDORS } from "../providers/index.ts";

/** The settings, as they are written for the vendors that there are; where nothing is given, those of this process. */
export const inspectConfig = inspectWith.bind(null, VENDORS);

export function loadConfig(...where: Parameters<typeof inspectConfig>) {
  return soundConfig(inspectConfig(...where));
}
