import { headerSecrets } from "./outbound/index.ts";
import type { ProviderSettings } from "./settings.ts";

/** Strings to remove from a vendor's text inside a successful response. */
export function vendorSecrets({ apiKey, baseUrl, headers }: ProviderSettings): readonly string[] {
  const url = baseUrl === null ? null : new URL(baseUrl);
  const own = [apiKey, url?.host ?? null, url?.hostname ?? null].filter((secret) => secret !== null);
  return [...own, ...headerSecrets(headers ?? {})];
}
