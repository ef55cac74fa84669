import { headerSecrets } from "./outbound/index.ts";
import type { ProviderSettings } from "./settings.ts";

/** What must not come back in a vendor's words, where they stand inside an answer that went well. */
export function vendorSecrets({ apiKey, baseUrl, headers }: ProviderSettings): readonly string[] {
  const url = baseUrl === null ? null : new URL(baseUrl);
  const own = [apiKey, url?.host ?? null, url?.hostname ?? null].filter((secret) => secret !== null);
  return [...own, ...headerSecrets(headers ?? {})];
}
