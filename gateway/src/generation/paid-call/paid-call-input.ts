import type { AdmissionCall } from "../../admission/index.ts";
import type { Span } from "../../telemetry/index.ts";

/** A call before admission: what admission needs to know, and the bounds it runs within. */
export type PaidCall = {
  readonly admission: AdmissionCall;
  readonly priceRuleId: string;
  readonly timeoutMs: number;
  /** The request's span; the steps of the call become its children. */
  readonly span: Span;
};
