import { DEFAULT_SSE_BOUNDS } from "../../kit/index.ts";
import type { ChatRequest, Provider, TextProvider } from "../contract.ts";
import {
  createRetrier,
  failureOfResponse,
  type OutboundFetch,
  type OutboundResponse,
  readText,
  sseEvents,
} from "../outbound/index.ts";
import type { ProviderSettings } from "../settings.ts";
import { createAddress } from "./address.ts";
import { decodeReply } from "./decode-reply.ts";
import { createStreamDecoder } from "./decode-stream.ts";
import { encodeRequest } from "./encode-request.ts";
import type { WireVendor } from "./vendor.ts";

export type OpenAiWireDeps = { readonly outbound: OutboundFetch };

/** A reply that is no stream is held whole; no model's answer comes near. */
const MAX_REPLY_BYTES = 32 << 20;
const STREAM = { ...DEFAULT_SSE_BOUNDS, lastData: "[DONE]" };

/** Any server that speaks chat completions; all that sets it apart stands in `vendor`. */
export function createOpenAiWireProvider(
  settings: ProviderSettings,
  vendor: WireVendor,
  deps: OpenAiWireDeps,
): Provider {
  return { name: settings.name, text: createText(settings, withSettings(vendor, settings), deps) };
}

/** What the operator says goes before what is known of the vendor. */
function withSettings(vendor: WireVendor, settings: ProviderSettings): WireVendor {
  return {
    ...vendor,
    onDisconnect: settings.onDisconnect ?? vendor.onDisconnect,
    asksForUsage: settings.streamUsage ?? vendor.asksForUsage,
    limitField: settings.maxTokensField ?? vendor.limitField,
    completionLimitModels: settings.maxTokensField ? null : vendor.completionLimitModels,
  };
}

function createText(settings: ProviderSettings, vendor: WireVendor, deps: OpenAiWireDeps): TextProvider {
  const { chatUrl, headers, secrets } = createAddress(settings, vendor);
  const retrier = createRetrier();
  const namespace = settings.name;
  const { cachesBeyondPrompt } = vendor;
  return {
    onDisconnect: vendor.onDisconnect,
    // One generator, and no turn of the loop for an event: what one read of the network brought goes on at once.
    async *chat(model, request, { signal }) {
      const body = JSON.stringify(encodeRequest(request, { vendor, model, namespace }));
      const call = () => deps.outbound(chatUrl(model), { method: "POST", headers, body, signal });
      const response = await retrier.run(call, signal);
      if (!response.ok) throw await failureOfResponse(response);
      const context = { ...expectationsOf(request), namespace, cachesBeyondPrompt, secrets };
      if (!isStream(response)) {
        yield decodeReply(await readText(response, MAX_REPLY_BYTES), context);
        return;
      }
      const decoder = createStreamDecoder(context);
      for await (const events of sseEvents(response, STREAM)) {
        const batch = decoder.push(events);
        if (decoder.isDone) batch.push(...decoder.end());
        if (batch.length > 0) yield batch;
        if (decoder.isDone) return;
      }
      yield decoder.end();
    },
  };
}

function expectationsOf({ n, toolChoice }: ChatRequest) {
  return { n: n ?? 1, namedTool: typeof toolChoice === "object" };
}

/** Whatever does not call itself a stream is read whole and then looked at. */
function isStream(response: OutboundResponse): boolean {
  return response.headers.get("content-type")?.includes("event-stream") ?? false;
}
