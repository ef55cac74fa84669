import { type CallContext, unreadableAnswer } from "../../contract/index.ts";
import {
  createRetrier,
  failureOfResponse,
  type OutboundFetch,
  type OutboundInit,
  readJson,
  UnstartedFailure,
} from "../../outbound/index.ts";
import { createEmbeddedMedia, type EmbeddedMedia } from "../media/embedded-media.ts";

/** These vendors return URLs of files, not files; a data URL may contain one. */
const MAX_ANSWER_BYTES = 96 << 20;
/** Ids that are safe in our URL path; a crafted id must not lead us elsewhere. Some contain the whole order. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,2047}$/;

export type VendorAnswer = Readonly<Record<string, unknown>>;

type VendorCall = {
  /** Its placeholders may be used in posted bodies. */
  readonly embedded: EmbeddedMedia;
  get(url: string, context: CallContext): Promise<VendorAnswer>;
  /** `ownHeaders` are those of this call alone. */
  post(
    url: string,
    body: Readonly<Record<string, unknown>>,
    context: CallContext,
    ownHeaders?: Readonly<Record<string, string>>,
  ): Promise<VendorAnswer>;
};

export function createVendorCall(
  outbound: OutboundFetch,
  headers: Readonly<Record<string, string>>,
): VendorCall {
  const retrier = createRetrier({ after: [UnstartedFailure] });
  const embedded = createEmbeddedMedia();
  const withBody = { ...headers, "content-type": "application/json" };

  async function call(
    url: string,
    body: OutboundInit["body"],
    { signal }: CallContext,
    ownHeaders?: Readonly<Record<string, string>>,
  ): Promise<VendorAnswer> {
    const response = await retrier.run(
      () =>
        outbound(url, {
          method: body === undefined ? "GET" : "POST",
          headers: body === undefined ? headers : { ...withBody, ...ownHeaders },
          ...(body === undefined ? {} : { body, isSentOnce: true }),
          signal,
        }),
      signal,
    );
    if (!response.ok) throw await failureOfResponse(response);
    const answer = await readJson(response, MAX_ANSWER_BYTES);
    if (typeof answer !== "object" || answer === null) throw unreadableAnswer("an answer that is no object");
    return answer as VendorAnswer;
  }

  return {
    embedded,
    get: (url, context) => call(url, undefined, context),
    post: (url, body, context, ownHeaders) =>
      call(url, embedded.bodyOf(JSON.stringify(body)), context, ownHeaders),
  };
}

export function idOf(value: unknown): string {
  if (typeof value !== "string" || !ID.test(value)) throw unreadableAnswer("an order without a usable id");
  return value;
}

/** URL path of a model's id, which may have several segments. */
export function pathOf(upstreamModel: string): string {
  return upstreamModel.split("/").map(encodeURIComponent).join("/");
}
