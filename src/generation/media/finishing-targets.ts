import type { ImageModel, Target } from "../../catalog/index.ts";
import { type ImageProvider, type ImageRequest, refuseFinish } from "../../providers/index.ts";
import { failureError } from "../paid-call/failure.ts";

/** Of the registry, all that is asked here. */
type FinishChecks = { image(provider: string): Pick<ImageProvider, "checkFinish"> };

/** Throws where this target cannot be told how the picture is to be written: another one may. */
export function checkFinish(registry: FinishChecks, to: Target, { finish }: ImageRequest): void {
  if (finish === undefined) return;
  const provider = registry.image(to.provider);
  if (provider.checkFinish === undefined) refuseFinish(finish);
  else provider.checkFinish(to.model, finish);
}

/** Refuses what none of the model's targets can be told, while nothing is held and no row tells of it. */
export function refuseUnfinished(
  registry: FinishChecks,
  { targets }: ImageModel,
  request: ImageRequest,
): void {
  let refusal: unknown = null;
  for (const to of targets) {
    try {
      checkFinish(registry, to, request);
      return;
    } catch (error) {
      refusal = error;
    }
  }
  throw failureError(refusal);
}
