import { headerSecrets } from "../outbound/index.ts";
import type { ProviderSettings } from "./settings.ts";

/** Strings to remove from a vendor's text inside a successful response. */
export function vendorSecrets(settings: ProviderSettings): readonly string[] {
  const { apiKey, baseUrl, headers, awsKeys, serviceAccount } = settings;
  const url = baseUrl === null ? null : new URL(baseUrl);
  const own = [
    apiKey,
    url?.host,
    url?.hostname,
    awsKeys?.accessKeyId,
    awsKeys?.sessionToken,
    serviceAccount?.email,
  ];
  return [...own.filter((secret) => secret != null), ...headerSecrets(headers ?? {})];
}
