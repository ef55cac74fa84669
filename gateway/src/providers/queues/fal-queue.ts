import { ProviderFailure, WithheldResult } from "../../contract/index.ts";
import type { OutboundFetch } from "../../outbound/index.ts";
import type { ProviderSettings } from "../settings.ts";
import type { RemoteWork, WorkState } from "./remote-work.ts";
import { createVendorCall, idOf, pathOf, type VendorAnswer } from "./vendor-call.ts";

const BASE_URL = "https://queue.fal.run";
/** Apps in these namespaces have it before the owner; all others are `owner/app/…`. */
const NAMESPACES: ReadonlySet<string> = new Set(["workflows", "comfy"]);

export function falHeaders({ apiKey, headers }: ProviderSettings): Readonly<Record<string, string>> {
  return { ...(apiKey === null ? {} : { authorization: `Key ${apiKey}` }), ...headers };
}

/**
 * Fal's queue: submit, poll the status, fetch the result. The AI SDK's own video model has one host built in, takes
 * every failed poll for the end of the work, and has no music.
 */
export function createFalQueue(
  settings: ProviderSettings,
  outbound: OutboundFetch,
  knowsOurId = false,
): RemoteWork {
  const baseUrl = settings.baseUrl ?? BASE_URL;
  const call = createVendorCall(outbound, falHeaders(settings));

  return {
    embedded: call.embedded,

    async start(upstreamModel, input, context) {
      const key = knowsOurId ? { "idempotency-key": context.requestId } : undefined;
      const { request_id } = await call.post(`${baseUrl}/${pathOf(upstreamModel)}`, input, context, key);
      return idOf(request_id);
    },

    async poll(upstreamModel, id, context) {
      const order = `${baseUrl}/${appOf(upstreamModel)}/requests/${idOf(id)}`;
      const state = decodeStatus(await call.get(`${order}/status`, context));
      if (state !== "completed") return state;
      try {
        return { state: "done", output: await call.get(order, context) };
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        // The work is over: a rejection is its final result. Any other failure concerns the connection, not the work.
        if (error.kind === "rejected") {
          return { state: "failed", text: error.publicMessage, reason: "rejected" };
        }
        throw error.kind === "unavailable" ? new WithheldResult(error) : error;
      }
    },
  };
}

function decodeStatus(answer: VendorAnswer): WorkState | "completed" {
  const { status, error, error_type: type, ready_in_ms: readyInMs } = answer;
  switch (status) {
    case "IN_QUEUE":
      return { state: "queued" };
    case "COMPLETED":
      if (typeof error !== "string" || error === "") return "completed";
      return { state: "failed", text: error, reason: type === "request_timeout" ? "timeout" : undefined };
    case "FAILED":
    case "CANCELED":
      return { state: "failed", text: typeof error === "string" ? error : "" };
    default:
      return { state: "running", ...(typeof readyInMs === "number" ? { readyInMs } : {}) };
  }
}

/** Requests are kept per app; the rest of a model's id is the endpoint within the app. */
function appOf(upstreamModel: string): string {
  const parts = upstreamModel.split("/");
  return pathOf(parts.slice(0, NAMESPACES.has(parts[0] ?? "") ? 3 : 2).join("/"));
}
