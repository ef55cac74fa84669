import type { Services } from "../services.ts";
import { doIfPossible } from "./before-first-call.ts";
import { warnOfMachine } from "./machine-warnings.ts";
import { warnOfNoModel } from "./no-model.ts";
import { warnOfRefusedKeys } from "./refused-keys.ts";
import { warnOfUnusableObjects } from "./unusable-objects.ts";

/** What an operator should know although the gateway starts. Logged once, however many workers there are. */
export async function warnAtStart(services: Services): Promise<void> {
  warnOfNoModel(services);
  // Not awaited: a start should not wait for somebody else's service.
  void doIfPossible(warnOfRefusedKeys(services), services.log, "providers_not_tried");
  await warnOfUnusableObjects(services);
  await warnOfMachine(services);
}
