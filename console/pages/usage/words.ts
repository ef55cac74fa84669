import type { RequestRow } from "../../../src/http/console/contract.ts";
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

const ERRORS: Readonly<Record<string, string>> = {
  internal_error: "The provider failed or did not answer in time.",
  validation_error: "The provider refused the request.",
  rate_limit_exceeded: "The provider's rate limit was reached.",
  insufficient_credits: "There were not enough credits.",
  model_not_allowed: "The model could not be used.",
};

export function errorWords(code: string): string {
  return ERRORS[code] ?? `It ended with ${code}.`;
}
