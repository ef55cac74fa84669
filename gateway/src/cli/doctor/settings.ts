import type { LoadedCatalog } from "../../catalog/index.ts";
import type { InspectedConfig } from "../../config/index.ts";
import { broken, type Check, fine, warning } from "./check.ts";

/** Settings of the environment and the file, including the catalog's sections. */
export function checkSettings({ config, problems }: InspectedConfig, catalog: LoadedCatalog): Check[] {
  const checks = problems.map((problem) => broken("settings", problem, "Correct this setting."));
  if (catalog.outcome === "refused") {
    checks.push(
      ...catalog.problems.map((problem) => broken("catalog", problem, `Correct it in ${config.configPath}.`)),
    );
  }
  for (const name of config.unknownNames) {
    checks.push(warning("settings", `${name} is not a setting`, "Check its spelling, or unset it."));
  }
  if (checks.length > 0) return checks;
  return [fine("settings", `${config.environment}, ${config.publicUrl}`)];
}

/** Each problem begins with the name of its setting. */
export function isWrongSetting({ problems }: InspectedConfig, name: string): boolean {
  return problems.some((problem) => problem.startsWith(`${name}:`));
}
