import type { WireRequest } from "../../contract.ts";

/** What repairing an answer in the caller's own words needs to know of the request. */
export type WireForm = {
  readonly sealCallId?: WireRequest["sealCallId"];
  /** Asked in the wire's first form, with `functions`: calls are answered in that form too. */
  readonly isFirstForm: boolean;
};

export function wireFormOf({ body, sealCallId }: WireRequest): WireForm {
  return { isFirstForm: Array.isArray(body["functions"]), ...(sealCallId ? { sealCallId } : {}) };
}
