import { AppError } from "../kit/index.ts";

/** What a provider made cannot be stored as what was asked for: storing it again would fail again. */
export class UnusableAsset extends AppError {
  override name = "UnusableAsset";
  constructor(what: string, internal: string) {
    super("internal_error", `What the model's provider made is not ${what} that we serve.`, {
      status: 502,
      internal,
    });
  }
}
