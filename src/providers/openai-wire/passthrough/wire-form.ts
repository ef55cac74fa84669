import type { WireRequest } from "../../contract.ts";

/** What repairing an answer in the caller's own words needs to know of the request. */
export type WireForm = {
  readonly sealCallId?: WireRequest["sealCallId"];
  /** Asked in the wire's first form, with `functions`: calls are answered in that form too. */
  readonly isFirstForm: boolean;
  /** Nobody reads along, and what comes is joined to one reply: who speaks is told with the first words. */
  readonly isJoined?: boolean;
};

export function wireFormOf({ body, sealCallId, wantsWhole = false }: WireRequest): WireForm {
  const isFirstForm = Array.isArray(body["functions"]);
  if (sealCallId === undefined) return { isFirstForm, isJoined: wantsWhole };
  return { isFirstForm, isJoined: wantsWhole, sealCallId };
}
