import { type Catalog, SANDBOX_PROVIDER } from "../../catalog/index.ts";
import type { Config } from "../../config.ts";
import type { CatalogInspection } from "../cli-host.ts";
import { countText } from "../wording.ts";
import { broken, type Check, fine, warning } from "./check.ts";

/** Who can be called. Keys are not tried: a doctor should not spend money. */
export function checkProviders(config: Config, catalog: CatalogInspection): Check[] {
  const checks = [...config.providers.values()].map(({ name, apiKey }) =>
    catalog.reachableProviders.has(name)
      ? fine("providers", `${name}: ${apiKey === null ? "no key, at its own address" : "key set"}`)
      : warning(
          "providers",
          `${name} is set up, but this version cannot call it`,
          "Unset it, or upgrade Bursar.",
        ),
  );
  // Of a catalog that is refused nobody knows the models, and no key would help.
  return catalog.loaded.outcome === "ok" ? [...checks, checkModels(config, catalog.loaded.catalog)] : checks;
}

function checkModels(config: Config, { models }: Catalog): Check {
  const callable = [...models.values()].filter((model) => model.targets.length > 0);
  if (callable.length === 0) {
    return broken(
      "models",
      "no model can be called",
      "Set a provider's key (such as OPENAI_API_KEY), or BURSAR_SANDBOX=true to try things out.",
    );
  }
  const found = `${countText(callable.length, "model")} can be called`;
  if (callable.some((model) => model.provider !== SANDBOX_PROVIDER)) return fine("models", found);
  return config.environment === "production"
    ? warning("models", `${found}, the sandbox's only`, "Set a provider's key, such as OPENAI_API_KEY.")
    : fine("models", `${found}, the sandbox's only (no provider key is set)`);
}
