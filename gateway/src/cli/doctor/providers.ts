import { type Catalog, canBeCalled } from "../../catalog/index.ts";
import type { Config } from "../../config/index.ts";
import type { ProviderTrial } from "../../contract/index.ts";
import type { CatalogInspection } from "../cli-host.ts";
import { countText } from "../wording.ts";
import { broken, type Check, fine, warning } from "./check.ts";
import { checkTrial } from "./provider-trial.ts";

const UNTRIED: ProviderTrial = { outcome: "untried" };

/** Which providers can be called. Each was sent a free request: a doctor should not spend money. */
export function checkProviders(
  config: Config,
  catalog: CatalogInspection,
  trials: ReadonlyMap<string, ProviderTrial>,
): Check[] {
  const { loaded } = catalog;
  const checks = [...config.providers.values()].map((provider) => {
    const { name } = provider;
    if (!catalog.reachableProviders.has(name)) {
      const finding = `${name} is set up, but this version cannot call it`;
      return warning("providers", finding, "Unset it, or upgrade Bursar.");
    }
    const wanted = loaded.outcome === "ok" ? modelsAskedOf(name, loaded.catalog) : [];
    return checkTrial(provider, trials.get(name) ?? UNTRIED, wanted);
  });
  // If the catalog is refused, its models are unknown, and no key would help.
  return loaded.outcome === "ok" ? [...checks, checkModels(config, loaded.catalog)] : checks;
}

function modelsAskedOf(provider: string, { models }: Catalog): readonly string[] {
  return [...models.values()].flatMap(({ targets }) =>
    targets.filter((target) => target.provider === provider).map(({ model }) => model),
  );
}

function checkModels(config: Config, { models }: Catalog): Check {
  const callable = [...models.values()].filter(canBeCalled);
  if (callable.length === 0) {
    return broken(
      "models",
      "no model can be called",
      "Set a provider's key (such as OPENAI_API_KEY), or BURSAR_SANDBOX=true to try things out.",
    );
  }
  const finding = `${countText(callable.length, "model")} can be called`;
  if (callable.some((model) => !model.isTest)) return fine("models", finding);
  const unused = [...config.providers.keys()];
  if (unused.length > 0) {
    const fix = "Name models of theirs under `models` in bursar.yaml; docs/models.md has examples.";
    return warning("models", `${finding}, all from the sandbox; none is sent to ${unused.join(", ")}`, fix);
  }
  return config.environment === "production"
    ? warning("models", `${finding}, all from the sandbox`, "Set a provider's key, such as OPENAI_API_KEY.")
    : fine("models", `${finding}, all from the sandbox (no provider key is set)`);
}
