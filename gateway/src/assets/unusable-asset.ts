import { AppError } from "../kit/index.ts";

/** The provider's output cannot be stored as the requested type; a retry would fail again. */
export class UnusableAsset extends AppError {
  override name = "UnusableAsset";
  constructor(what: string, internal: string) {
    super("internal_error", `What the model's provider made is not ${what} that we serve.`, {
      status: 502,
      internal,
    });
  }
}
