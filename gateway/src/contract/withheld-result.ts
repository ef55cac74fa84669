import { ProviderFailure } from "./provider-failure.ts";

/**
 * The vendor says that the work is done, but does not deliver the result. It may still appear, so it is worth a few
 * more polls; but nothing is in progress any more, so it is not worth the job's whole time limit.
 */
export class WithheldResult extends ProviderFailure {
  override name = "WithheldResult";
  constructor({ publicMessage, detail }: ProviderFailure) {
    super("unavailable", publicMessage, detail);
  }
}
