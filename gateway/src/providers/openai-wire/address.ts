import { assert } from "../../kit/index.ts";
import type { ProviderSettings } from "../settings.ts";
import { vendorSecrets } from "../vendor-secrets.ts";
import type { WireVendor } from "./vendor.ts";

/** The URLs and credentials of one provider. */
export type WireAddress = {
  chatUrl(model: string): string;
  /** Null if there is none: Azure's older, versioned API does not have it. */
  readonly responsesUrl: string | null;
  /** For calls other than chat; `path` begins with a slash. */
  mediaUrl(path: string, model: string): string;
  /** For calls that concern no model; `path` begins with a slash. */
  plainUrl(path: string): string;
  readonly headers: Readonly<Record<string, string>>;
  /** Values that must not appear in any message. */
  readonly secrets: readonly string[];
};

export function createAddress(settings: ProviderSettings, vendor: WireVendor): WireAddress {
  const { apiKey, apiVersion } = settings;
  const baseUrl = settings.baseUrl ?? vendor.baseUrl;
  assert(baseUrl !== null, `provider ${settings.name} has no address`);
  const root = vendor.route === "deployment" ? versionedUrl(baseUrl) : baseUrl;
  /** Set for a versioned deployment, whose URL contains the model; null otherwise. */
  const version =
    vendor.route === "deployment" && apiVersion ? `?api-version=${encodeURIComponent(apiVersion)}` : null;
  const plainUrl = (path: string) =>
    version === null ? `${root}${path}` : `${baseUrl}/openai${path}${version}`;
  const modelUrl = (path: string, model: string) =>
    plainUrl(version === null ? path : `/deployments/${encodeURIComponent(model)}${path}`);
  const chatUrl = version === null ? plainUrl("/chat/completions") : null;
  return {
    plainUrl,
    mediaUrl: modelUrl,
    responsesUrl: version === null ? plainUrl("/responses") : null,
    chatUrl: (model) => chatUrl ?? modelUrl("/chat/completions", model),
    headers: {
      ...settings.headers,
      "content-type": "application/json",
      accept: "text/event-stream, application/json",
      ...(apiKey === null ? {} : authorization(apiKey, vendor.auth)),
    },
    secrets: vendorSecrets({ ...settings, baseUrl }),
  };
}

/** Without an API version the service's newer API is meant, which takes the model in the body. */
function versionedUrl(baseUrl: string): string {
  return /\/v\d+$/.test(baseUrl) ? baseUrl : `${baseUrl}/openai/v1`;
}

function authorization(apiKey: string, style: WireVendor["auth"]): Readonly<Record<string, string>> {
  return style === "bearer" ? { authorization: `Bearer ${apiKey}` } : { "api-key": apiKey };
}
