import { finishSteps } from "../../kit/index.ts";
import { jsonSteps } from "./json-guard.ts";

/** Reads JSON without letting anybody else have a turn. */
export function readJson(...given: Parameters<typeof jsonSteps>) {
  return finishSteps(jsonSteps(...given));
}
