import { MAX_WAIT_MS } from "../wait.ts";

const MS_OF_UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** `250ms`, `3s`, `1.5s`, `2m`; undefined for anything else, and for more than the longest wait. */
export function parseWaitMs(text: string): number | undefined {
  const match = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s|m)$/.exec(text);
  if (match === null) return undefined;
  const delayMs = Math.round(Number(match[1]) * (MS_OF_UNIT[match[2] ?? ""] ?? Number.NaN));
  return delayMs <= MAX_WAIT_MS ? delayMs : undefined;
}

/** An integer within the bounds, without sign, spaces or leading characters. */
export function parseWhole(text: string, low: number, high: number): number | undefined {
  if (!/^\d{1,9}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= low && value <= high ? value : undefined;
}
