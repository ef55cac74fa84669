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

type ReasonWords = { readonly label: string; readonly words: string };

/** What a reader can act on. A reason newer than this page is told by its error code. */
const REASONS: Readonly<Record<string, ReasonWords>> = {
  provider_limit: {
    label: "Provider's limit",
    words: "The provider is at its limit for this gateway. Try again later; if it lasts, tell your operator.",
  },
  provider_error: {
    label: "Provider failed",
    words: "The provider failed. Try again, or use another model.",
  },
  provider_refused_our_key: {
    label: "Provider refused our key",
    words: "The provider refused this gateway's key: tell your operator. Nothing in the request was wrong.",
  },
  timeout_connect: {
    label: "Provider not reached",
    words: "The provider could not be reached in time. Try again; if it lasts, tell your operator.",
  },
  timeout_first_byte: {
    label: "No answer in time",
    words: "The provider did not answer in time. Try again, or use another model.",
  },
  provider_bad_reply: {
    label: "Unusable answer",
    words: "The provider's answer could not be used. Try again, or use another model.",
  },
  provider_refused_request: {
    label: "Request refused",
    words: "The provider refused the request as invalid. The error that the caller got says what to change.",
  },
  content_refused: {
    label: "Content refused",
    words: "The provider refused the content. Change the prompt, or use another model.",
  },
  client_left: {
    label: "Client left",
    words: "The client disconnected before the end, so only what had been made for it was charged.",
  },
  cut_by_limit: {
    label: "Cut at a limit",
    words: "This gateway ended it at a limit of time or size. Ask for less at once.",
  },
  shutdown: {
    label: "Gateway restarted",
    words: "The gateway was restarted while it ran. Try again.",
  },
  database: {
    label: "Database away",
    words: "The gateway's database was away. Try again; if it lasts, tell your operator.",
  },
  internal: {
    label: "Gateway failed",
    words: "The gateway itself failed. Try again; if it lasts, give your operator the request id.",
  },
};

const ERRORS: Readonly<Record<string, string>> = {
  internal_error: "The provider or the gateway failed.",
  validation_error: "The provider refused the request.",
  rate_limit_exceeded: "The provider's rate limit was reached.",
  insufficient_credits: "There were not enough credits.",
  model_not_allowed: "The model could not be used.",
};

type Ended = Pick<RequestRow, "reason" | "errorCode">;

function reasonOf({ reason }: Ended): ReasonWords | undefined {
  return REASONS[reason ?? ""];
}

/** For the list, beside the state; null if the state says it all. */
export function reasonLabel(row: Ended & Pick<RequestRow, "status">): string | null {
  return row.status === "cancelled" ? null : (reasonOf(row)?.label ?? null);
}

/** Null for a request that ended as it should. */
export function endWords(row: Ended): string | null {
  const { errorCode } = row;
  const known = reasonOf(row)?.words ?? null;
  if (known !== null || errorCode === null) return known;
  return ERRORS[errorCode] ?? `It ended with ${errorCode}.`;
}
