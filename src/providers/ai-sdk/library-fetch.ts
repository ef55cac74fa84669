import { asFetch, failureOfResponse, type WaysOut } from "../outbound/index.ts";
import { boundEvents, type Reword } from "./event-bound.ts";
import type { SaidEnd } from "./said-end.ts";

/** What every adapter of text is given: none of them fetches files. */
export type AiSdkDeps = Pick<WaysOut, "outbound">;

/**
 * The one way out in the library's terms. An error answer never reaches the library: read here it is told in
 * the same words as everybody else's, and with this call's key and host taken out.
 */
export function createLibraryFetch(
  { outbound }: AiSdkDeps,
  {
    isFramed = false,
    rewording,
    saidEnd,
  }: {
    /** Answers in frames that carry their length; all others are streams of events, whatever they call themselves. */
    readonly isFramed?: boolean;
    /** Made anew for every answer. */
    readonly rewording?: () => Reword;
    readonly saidEnd?: SaidEnd;
  } = {},
): typeof fetch {
  const call = asFetch(async (url, init) => {
    const response = await outbound(url, init);
    if (!response.ok) throw await failureOfResponse(response);
    return response;
  });
  if (isFramed) return call;
  const bounded = async (...input: Parameters<typeof fetch>) =>
    boundEvents(await call(...input), { reword: rewording?.(), saidEnd });
  return Object.assign(bounded, { preconnect: call.preconnect });
}
