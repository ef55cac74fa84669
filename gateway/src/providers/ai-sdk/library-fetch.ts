import { asFetch, failureOfResponse, type WaysOut } from "../../outbound/index.ts";
import { boundEvents, type Reword } from "./decode/event-bound.ts";
import type { SaidEnd } from "./decode/said-end.ts";

/** Given to every text adapter; none of them downloads files. */
export type AiSdkDeps = Pick<WaysOut, "outbound">;

/**
 * Our outbound fetch in the form that the library expects. Error responses never reach the library: they are decoded
 * here, in the same way as for all providers and with this call's key and host removed.
 */
export function createLibraryFetch(
  { outbound }: AiSdkDeps,
  {
    isFramed = false,
    rewording,
    saidEnd,
  }: {
    /** Responses in length-prefixed frames; all others are event streams, whatever their content type says. */
    readonly isFramed?: boolean;
    /** Called once per response. */
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
