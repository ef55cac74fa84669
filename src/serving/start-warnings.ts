import type { Services } from "../services.ts";
import { warnOfMachine } from "./machine-warnings.ts";
import { warnOfNoModel } from "./no-model.ts";
import { warnOfUnusableObjects } from "./unusable-objects.ts";

/** What an operator should know although the gateway starts. Logged once, however many workers there are. */
export async function warnAtStart(services: Services): Promise<void> {
  warnOfNoModel(services);
  await warnOfUnusableObjects(services);
  await warnOfMachine(services);
}
