import type { Config, ProviderSettings } from "../../config/index.ts";
import { tryProviders } from "../../providers/index.ts";
import type { Log } from "../../telemetry/index.ts";

/** For the log: which setting to change, never its value. */
export function adviceOnKey({ settingNames }: Pick<ProviderSettings, "settingNames">): string {
  return `Set ${settingNames.apiKey} to a valid key, or ask the provider why this one is refused.`;
}

/**
 * Asks each configured provider one free question, as the doctor does, so that a wrong key is not first told by a
 * caller's failed call. A start does not wait for it.
 */
export async function warnOfRefusedKeys(input: {
  readonly config: Pick<Config, "providers" | "outboundWay">;
  readonly log: Log;
}): Promise<void> {
  const { providers, outboundWay } = input.config;
  if (providers.size === 0) return;
  for (const [provider, trial] of await tryProviders(providers, { outboundWay })) {
    const settings = providers.get(provider);
    if (trial.outcome !== "refused" || settings === undefined) continue;
    const { status } = trial;
    input.log.warn("provider_key_refused", { provider, status, advice: adviceOnKey(settings) });
  }
}
