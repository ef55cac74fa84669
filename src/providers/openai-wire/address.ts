import { assert } from "../../kit/index.ts";
import type { ProviderSettings } from "../settings.ts";
import type { WireVendor } from "./vendor.ts";

/** Where chat completions are asked for, by model, and what a call proves itself with. */
export type WireAddress = {
  chatUrl(model: string): string;
  readonly headers: Readonly<Record<string, string>>;
  /** What must not stand in any message. */
  readonly secrets: readonly string[];
};

export function createAddress(settings: ProviderSettings, vendor: WireVendor): WireAddress {
  const { apiKey, apiVersion } = settings;
  const baseUrl = settings.baseUrl ?? vendor.baseUrl;
  assert(baseUrl !== null, `provider ${settings.name} has no address`);
  const host = new URL(baseUrl).host;
  const plainUrl = `${vendor.route === "deployment" ? versionedUrl(baseUrl) : baseUrl}/chat/completions`;
  return {
    chatUrl(model) {
      if (vendor.route !== "deployment" || !apiVersion) return plainUrl;
      const query = `api-version=${encodeURIComponent(apiVersion)}`;
      return `${baseUrl}/openai/deployments/${encodeURIComponent(model)}/chat/completions?${query}`;
    },
    headers: {
      ...settings.headers,
      "content-type": "application/json",
      accept: "text/event-stream, application/json",
      ...(apiKey === null ? {} : authorization(apiKey, vendor.auth)),
    },
    secrets: [...(apiKey === null ? [] : [apiKey]), host, host.replace(/:\d+$/, "")],
  };
}

/** Without an API version the service's newer address is meant, which takes the model in the body. */
function versionedUrl(baseUrl: string): string {
  return /\/v\d+$/.test(baseUrl) ? baseUrl : `${baseUrl}/openai/v1`;
}

function authorization(apiKey: string, style: WireVendor["auth"]): Readonly<Record<string, string>> {
  return style === "bearer" ? { authorization: `Bearer ${apiKey}` } : { "api-key": apiKey };
}
