import { excessOf, isDataUrl } from "../../../kit/index.ts";
import type { EmbeddedMedia } from "../../media/embedded-media.ts";
import { decodeDataUri, hostedLimits } from "../../media/hosted-file.ts";
import { fetchPatiently } from "../../media/patient-fetch.ts";
import { asFetch, failureOfResponse, type WaysOut } from "../../outbound/index.ts";
import { excessFailure } from "../failure.ts";

type MediaAddress = {
  readonly baseUrl: string;
  /** Where the library believes that the service is, if it cannot be told. */
  readonly libraryUrl?: string;
  /** Where videos are ordered, and nothing else is posted: the files that orders may carry. */
  readonly ordered?: EmbeddedMedia;
};

/**
 * The one way out in the library's terms. Some of its models fetch what they have made themselves, from an
 * address that stands in an answer: all but the provider's own host is fetched under the guard, without a header
 * of ours, and an address that is the file itself is read. An error answer never reaches the library: read here, it
 * is told in the same words as everybody else's.
 */
export function createMediaFetch(
  { outbound, fetchPublic }: WaysOut,
  { baseUrl, libraryUrl = baseUrl, ordered }: MediaAddress,
): typeof fetch {
  const ownOrigin = new URL(baseUrl).origin;
  const callOwn = asFetch(async (url, init) => {
    const { body } = init;
    const sentBody = typeof body === "string" ? (ordered?.bodyOf(body) ?? body) : body;
    // Whatever is posted is an order.
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
    // What is not posted is a file, except among videos, where it is a look.
    const isFile = ordered === undefined && !init?.body;
    return isFile ? fetchPatiently(callOnce, { withinMs: timeoutMs, signal }) : callOnce(timeoutMs);
  };
  return Object.assign(call, { preconnect: () => {} });
}

type Elsewhere = { readonly timeoutMs: number; readonly signal: AbortSignal };

const LIST = 0x5b;
const OBJECT = 0x7b;

/** The library parses whatever comes. What begins as JSON does is held to our bounds, whatever it calls itself. */
async function withinBounds(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const bytes = Buffer.from(await response.arrayBuffer());
  const first = bytes.find((byte) => byte > 0x20);
  // Whatever is of JSON's own signs is one byte, and none of those is part of another character.
  const excess = first === LIST || first === OBJECT ? excessOf(bytes.toString("latin1")) : null;
  if (excess !== null) throw excessFailure(`an answer that ${excess}`);
  return new Response(bytes, { status: response.status, headers: response.headers });
}
