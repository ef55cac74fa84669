import { type Catalog, canBeCalled } from "../../catalog/index.ts";
import type { Log } from "../../telemetry/index.ts";

/** Reported at the start, not by the first caller. Only a warning: the console and existing content still work. */
export function warnOfNoModel({ catalog, log }: { readonly catalog: Catalog; readonly log: Log }): void {
  if ([...catalog.models.values()].some(canBeCalled)) return;
  log.warn("no_model", {
    error:
      "No model can be called. Set a provider's key (such as OPENAI_API_KEY), or BURSAR_SANDBOX=true to try things out.",
  });
}
