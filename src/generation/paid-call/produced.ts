import type { AdmissionCall } from "../../admission/index.ts";
import type { DraftAsset } from "../../assets/index.ts";
import type { Credits } from "../../kit/index.ts";
import type { Span } from "../../telemetry/index.ts";

/** A call that wants to be paid for: what admission needs to know, and the bounds it runs within. */
export type PaidCall = {
  readonly admission: AdmissionCall;
  readonly priceRuleId: string;
  readonly timeoutMs: number;
  /** The request's span; its steps become children. */
  readonly span: Span;
};

/** What a provider made of a call, and what that costs. */
export type Produced<Outcome> = {
  readonly outcome: Outcome;
  readonly cost: Credits;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly tokensSaved: number;
  readonly target: string;
  /** Its words cannot be said again: a repeat is told so. */
  readonly isUnrepeatable?: boolean;
  /** Files that were made: durable already, and published by the settlement that charges for them. */
  readonly assets?: readonly DraftAsset[];
};
