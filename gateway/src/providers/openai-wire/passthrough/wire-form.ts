import type { WireRequest } from "../../../contract/index.ts";

/** What we must know of the request to repair an answer in the caller's own wire. */
export type WireForm = {
  readonly sealCallId?: WireRequest["sealCallId"];
  /** The request was in the wire's first form, with `functions`: calls are returned in that form, too. */
  readonly isFirstForm: boolean;
  /** Nobody reads along, and the chunks are joined into one reply: the role is sent with the first text, not alone. */
  readonly isJoined?: boolean;
};

export function wireFormOf({ body, sealCallId, wantsWhole = false }: WireRequest): WireForm {
  const isFirstForm = Array.isArray(body["functions"]);
  if (sealCallId === undefined) return { isFirstForm, isJoined: wantsWhole };
  return { isFirstForm, isJoined: wantsWhole, sealCallId };
}
