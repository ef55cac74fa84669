import { excessOf, isDataUrl } from "../../../kit/index.ts";
import { asFetch, failureOfResponse, type WaysOut } from "../../../outbound/index.ts";
import { fetchWithBackoff } from "../../media/backoff-fetch.ts";
import type { EmbeddedMedia } from "../../media/embedded-media.ts";
import { decodeDataUri, hostedLimits } from "../../media/hosted-file.ts";
import { excessFailure } from "../failure.ts";

type MediaAddress = {
  readonly baseUrl: string;
  /** The service's address built into the library, if it cannot be configured. */
  readonly libraryUrl?: string;
  /** Only for video, where every POST is an order: the files that orders may contain. */
  readonly ordered?: EmbeddedMedia;
};

/**
 * Our outbound fetch in the form that the library expects. Some of its models download their results from an address in
 * the response: hosts other than the provider's own are fetched under the guard and without our headers, and data URLs
 * are decoded. Error responses never reach the library: they are decoded here, in the same way as for all providers.
 */
export function createMediaFetch(
  { outbound, fetchPublic }: WaysOut,
  { baseUrl, libraryUrl = baseUrl, ordered }: MediaAddress,
): typeof fetch {
  const ownOrigin = new URL(baseUrl).origin;
  const callOwn = asFetch(async (url, init) => {
    const { body } = init;
    const sentBody = typeof body === "string" ? (ordered?.bodyOf(body) ?? body) : body;
    // Every POST is an order.
    const response = await outbound(url, { ...init, body: sentBody, isSentOnce: body !== undefined });
    if (!response.ok) throw await failureOfResponse(response);
    return response;
  });

  async function fetchElsewhere(url: string, how: Elsewhere): Promise<Response> {
    const { maxBytes } = hostedLimits("image");
    const { bytes, mediaType } = await fetchPublic(url, { ...how, maxBytes });
    return new Response(bytes, { headers: mediaType === "" ? {} : { "content-type": mediaType } });
  }

  const call = async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
    const written = String(input);
    if (isDataUrl(written)) return new Response(decodeDataUri(written, "image"));
    const url = written.startsWith(`${libraryUrl}/`)
      ? `${baseUrl}${written.slice(libraryUrl.length)}`
      : written;
    const isOwn = URL.parse(url)?.origin === ownOrigin;
    const signal = init?.signal ?? new AbortController().signal;
    const callOnce = async (timeoutMs: number) =>
      withinBounds(await (isOwn ? callOwn(url, init) : fetchElsewhere(url, { timeoutMs, signal })));
    const { timeoutMs } = hostedLimits("image");
    // A GET downloads a file, except for video, where it polls.
    const isFile = ordered === undefined && !init?.body;
    return isFile ? fetchWithBackoff(callOnce, { withinMs: timeoutMs, signal }) : callOnce(timeoutMs);
  };
  return Object.assign(call, { preconnect: () => {} });
}

type Elsewhere = { readonly timeoutMs: number; readonly signal: AbortSignal };

const LIST = 0x5b;
const OBJECT = 0x7b;

/** The library parses anything, so whatever begins like JSON is held to our limits, whatever its content type. */
async function withinBounds(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const bytes = Buffer.from(await response.arrayBuffer());
  const first = bytes.find((byte) => byte > 0x20);
  // JSON's punctuation is single-byte, and these bytes never occur inside other UTF-8 characters, so latin1 will do.
  const excess = first === LIST || first === OBJECT ? excessOf(bytes.toString("latin1")) : null;
  if (excess !== null) throw excessFailure(`an answer that ${excess}`);
  return new Response(bytes, { status: response.status, headers: response.headers });
}
