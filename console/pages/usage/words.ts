import type { RequestRow } from "../../../gateway/src/http/console/contract.ts";
import type { BadgeLook } from "../../parts/badge.tsx";

const ENDPOINTS: Readonly<Record<string, string>> = {
  "api-v1-chat": "Chat",
  "api-v1-images": "Images",
  "api-v1-video": "Video",
  "api-v1-audio": "Audio",
  "v1-chat-completions": "Chat completions",
  "v1-responses": "Responses",
  "v1-images-generations": "Image generations",
};

/** A readable name; an endpoint newer than this page keeps its own. */
export function endpointWords(endpoint: string): string {
  return ENDPOINTS[endpoint] ?? endpoint;
}

type Status = RequestRow["status"];

export const STATUSES: Readonly<Record<Status, { label: string; look: BadgeLook }>> = {
  succeeded: { label: "Done", look: "good" },
  failed: { label: "Failed", look: "bad" },
  cancelled: { label: "Client disconnected", look: "warn" },
  processing: { label: "Running", look: "info" },
};

/** For the receipt: what a reader can do. A reason newer than this page is told by its error code. */
const REASONS: Readonly<Record<string, string>> = {
  provider_limit:
    "The provider is at its limit for this gateway. Try again later; if it lasts, tell your operator.",
  provider_error: "The provider failed. Try again, or use another model.",
  provider_refused_our_key: "The provider refused this gateway's key: tell your operator.",
  timeout_connect: "The provider could not be reached in time. Try again; if it lasts, tell your operator.",
  timeout_first_byte: "The provider did not answer in time. Try again, or use another model.",
  provider_bad_reply: "The provider's answer could not be used. Try again, or use another model.",
  provider_refused_request: "The provider refused the request. The error that its caller got says why.",
  content_refused: "The provider refused the content. Change the prompt, or use another model.",
  client_left: "The client disconnected before the end: what had been made for it was charged.",
  cut_by_limit: "This gateway cut it at a limit of time or size. Ask for less at once.",
  shutdown: "The gateway was restarted meanwhile. Try again.",
  database: "The gateway's database was away. Try again; if it lasts, tell your operator.",
  internal: "The gateway failed. Try again; if it lasts, give your operator the request id.",
};

/** Of requests from before reasons were recorded. */
const ERRORS: Readonly<Record<string, string>> = {
  internal_error: "The provider or the gateway failed.",
  validation_error: "The provider refused the request.",
};

type Ended = Pick<RequestRow, "reason" | "errorCode">;

/** For the list, beside the state; null if the state says it all. */
export function reasonLabel({ status, reason = null }: Ended & Pick<RequestRow, "status">): string | null {
  if (reason === null || status === "cancelled") return null;
  const words = reason.replaceAll("_", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Null for a request that ended as it should. */
export function endWords({ reason, errorCode }: Ended): string | null {
  const known = REASONS[reason ?? ""] ?? ERRORS[errorCode ?? ""];
  return known ?? (errorCode === null ? null : `It ended with ${errorCode}.`);
}
