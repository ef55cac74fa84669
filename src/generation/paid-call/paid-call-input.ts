import type { AdmissionCall } from "../../admission/index.ts";
import type { Span } from "../../telemetry/index.ts";

/** A call that wants to be paid for: what admission needs to know, and the bounds it runs within. */
export type PaidCall = {
  readonly admission: AdmissionCall;
  readonly priceRuleId: string;
  readonly timeoutMs: number;
  /** The request's span; its steps become children. */
  readonly span: Span;
};
