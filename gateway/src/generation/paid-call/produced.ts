import type { DraftAsset } from "../../assets/index.ts";
import type { Credits } from "../../kit/index.ts";

/** What a call produced, and what that costs. */
export type Produced<Outcome> = {
  readonly outcome: Outcome;
  readonly cost: Credits;
  /** The quantities that were priced beside the tokens, in the catalog's notation; null if there are only tokens. */
  readonly measured: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly tokensSaved: number;
  readonly target: string;
  /** True if the reply cannot be kept: a repeat gets an error that says so. */
  readonly isUnrepeatable?: boolean;
  /** We cut it after some content, at a limit of ours. */
  readonly isCut?: boolean;
  /** The files that were made: already durable, published by the settlement that charges for them. */
  readonly assets?: readonly DraftAsset[];
};
