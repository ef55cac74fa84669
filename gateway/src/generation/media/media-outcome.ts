import type { DraftAsset } from "../../assets/index.ts";
import type { ImageReport } from "../../contract/index.ts";

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

/** What the provider reported of several calls, as far as it did so for each of them. */
export function joinedReport(reports: readonly ImageReport[]): ImageReport {
  const quality = reports[0]?.quality;
  const told = quality !== undefined && reports.every((each) => each.quality === quality) ? { quality } : {};
  const usages = reports.flatMap(({ usage }) => usage ?? []);
  if (usages.length === 0 || usages.length < reports.length) return told;
  const inputTokens = usages.reduce((sum, usage) => sum + usage.inputTokens, 0);
  const outputTokens = usages.reduce((sum, usage) => sum + usage.outputTokens, 0);
  return { ...told, usage: { inputTokens, outputTokens } };
}

/** WIDTHxHEIGHT; undefined if they differ. */
export function commonSize(
  images: readonly { readonly width: number | null; readonly height: number | null }[],
): string | undefined {
  const sizes = new Set(images.map(({ width, height }) => `${width}x${height}`));
  return sizes.size === 1 ? [...sizes][0] : undefined;
}
