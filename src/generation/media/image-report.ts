import type { ImageReport } from "../../providers/index.ts";

/** What the provider reported of several calls, as far as it did so for each of them. */
export function joinedReport(reports: readonly ImageReport[]): ImageReport {
  const [first] = reports;
  if (first === undefined) return {};
  const { quality } = first;
  const usages = reports.flatMap(({ usage }) => usage ?? []);
  const usage = {
    inputTokens: sumOf(usages.map(({ inputTokens }) => inputTokens)),
    outputTokens: sumOf(usages.map(({ outputTokens }) => outputTokens)),
  };
  return {
    ...(quality !== undefined && reports.every((each) => each.quality === quality) ? { quality } : {}),
    ...(usages.length === reports.length ? { usage } : {}),
  };
}

/** WIDTHxHEIGHT; undefined if they differ. */
export function commonSize(
  images: readonly { readonly width: number | null; readonly height: number | null }[],
): string | undefined {
  const sizes = new Set(images.map(({ width, height }) => `${width}x${height}`));
  return sizes.size === 1 ? [...sizes][0] : undefined;
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
