import type { ProviderSettings } from "./settings.ts";

/** What must not come back in a vendor's words, where they stand inside an answer that went well. */
export function vendorSecrets({ apiKey, baseUrl, headers }: ProviderSettings): readonly string[] {
  const host = baseUrl === null ? null : new URL(baseUrl).host;
  return [apiKey, host, ...Object.values(headers ?? {})].filter((secret) => secret !== null);
}
