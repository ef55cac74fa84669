import type { DraftAsset } from "../../assets/index.ts";
import type { ImageReport } from "../../providers/index.ts";

/** What a reply needs of a file that was made: the HTTP layer builds its URL from this. */
type KeptAsset = Pick<DraftAsset, "id" | "urlToken" | "mediaType">;

export function keptAsset({ id, urlToken, mediaType }: KeptAsset): KeptAsset {
  return { id, urlToken, mediaType };
}

/** A finished call without its cost: what is stored for an idempotent repeat. The bytes are in the library. */
export type ImageOutcome = {
  readonly model: string;
  /** At least one, but maybe fewer than requested. */
  readonly images: readonly KeptAsset[];
  /** WIDTHxHEIGHT, if all have the same. */
  readonly size?: string | undefined;
  /** Of all calls that made them, if the provider reported it for each. */
  readonly report?: ImageReport;
};

export type AudioOutcome = {
  readonly model: string;
  readonly audioKind: "speech" | "music";
  readonly audio: KeptAsset;
};
