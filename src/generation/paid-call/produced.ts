import type { DraftAsset } from "../../assets/index.ts";
import type { Credits } from "../../kit/index.ts";

/** What a provider made of a call, and what that costs. */
export type Produced<Outcome> = {
  readonly outcome: Outcome;
  readonly cost: Credits;
  /** What the price was applied to beside the tokens, as the catalog says it; null where they say it all. */
  readonly measured: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly tokensSaved: number;
  readonly target: string;
  /** Its words cannot be said again: a repeat is told so. */
  readonly isUnrepeatable?: boolean;
  /** Files that were made: durable already, and published by the settlement that charges for them. */
  readonly assets?: readonly DraftAsset[];
};
