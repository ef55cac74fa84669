import type { OutboundFetch } from "../../outbound/index.ts";
import type { ProviderSettings } from "../settings.ts";
import type { RemoteWork, WorkState } from "./remote-work.ts";
import { createVendorCall, idOf, pathOf, type VendorAnswer } from "./vendor-call.ts";

export const REPLICATE_BASE_URL = "https://api.replicate.com/v1";

export function replicateHeaders({ apiKey, headers }: ProviderSettings): Readonly<Record<string, string>> {
  return { ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }), ...headers };
}

/**
 * Replicate's predictions, polled by id at the configured address. The AI SDK would follow the address in the response,
 * and accepts neither a list of outputs nor an unknown status.
 */
export function createReplicatePredictions(settings: ProviderSettings, outbound: OutboundFetch): RemoteWork {
  const baseUrl = settings.baseUrl ?? REPLICATE_BASE_URL;
  const call = createVendorCall(outbound, replicateHeaders(settings));

  return {
    embedded: call.embedded,

    async start(upstreamModel, input, context) {
      const [model = "", version] = upstreamModel.split(":");
      const { id } =
        version === undefined
          ? await call.post(`${baseUrl}/models/${pathOf(model)}/predictions`, { input }, context)
          : await call.post(`${baseUrl}/predictions`, { version, input }, context);
      return idOf(id);
    },

    async poll(_upstreamModel, id, context) {
      return decodePrediction(await call.get(`${baseUrl}/predictions/${idOf(id)}`, context));
    },
  };
}

function decodePrediction({ status, output, error }: VendorAnswer): WorkState {
  switch (status) {
    case "starting":
      return { state: "starting" };
    case "succeeded":
      return { state: "done", output };
    case "failed":
    case "canceled":
    case "aborted":
      return { state: "failed", text: typeof error === "string" ? error : "" };
    default:
      return { state: "running" };
  }
}
