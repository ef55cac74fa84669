import { ProviderFailure } from "../contract.ts";

/**
 * The vendor says that the work is done, and has no answer where its result should be. The result may still come, so
 * that it is worth some more looks; but nothing is being made any more, so that it is not worth all of the job's time.
 */
export class WithheldResult extends ProviderFailure {
  override name = "WithheldResult";
  constructor({ publicMessage, detail }: ProviderFailure) {
    super("unavailable", publicMessage, detail);
  }
}
