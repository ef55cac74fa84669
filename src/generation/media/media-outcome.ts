import type { DraftAsset } from "../../assets/index.ts";

/** What a reply says of a file that was made: the edge makes its URL of it. */
type KeptAsset = Pick<DraftAsset, "id" | "urlToken" | "mediaType">;

export function keptAsset({ id, urlToken, mediaType }: KeptAsset): KeptAsset {
  return { id, urlToken, mediaType };
}

/** A finished call before money is known: what is stored for an idempotent repeat. The bytes are in the library. */
export type ImageOutcome = {
  readonly model: string;
  /** At least one; fewer than asked for where fewer were made. */
  readonly images: readonly KeptAsset[];
};

export type AudioOutcome = {
  readonly model: string;
  readonly audioKind: "speech" | "music";
  readonly audio: KeptAsset;
};
