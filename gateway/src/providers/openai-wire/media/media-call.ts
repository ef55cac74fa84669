import type { CallContext } from "../../../contract/index.ts";
import {
  createRetrier,
  failureOfResponse,
  type OutboundFetch,
  type OutboundResponse,
  UnstartedFailure,
} from "../../../outbound/index.ts";
import type { WireAddress } from "../address.ts";

/** Makes a call other than chat; it resolves to a successful response only, never to an error. */
export type MediaCall = (
  question: {
    readonly path: string;
    readonly model: string;
    readonly body: Readonly<Record<string, unknown>>;
    readonly accept: string;
  },
  context: CallContext,
) => Promise<OutboundResponse>;

export function createMediaCall(address: WireAddress, outbound: OutboundFetch): MediaCall {
  const retrier = createRetrier({ after: [UnstartedFailure] });
  return async ({ path, model, body, accept }, { signal }) => {
    const url = address.mediaUrl(path, model);
    const init = {
      method: "POST",
      headers: { ...address.headers, accept },
      body: JSON.stringify(body),
      isSentOnce: true,
      signal,
    } as const;
    const response = await retrier.run(() => outbound(url, init), signal);
    // Of this wire, too, are the callers who read the name.
    if (!response.ok) throw await failureOfResponse(response, { namesCallersFields: true });
    return response;
  };
}
