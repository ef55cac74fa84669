import type { Measured } from "./efficiency-conversation.ts";
import { percentile } from "./table.ts";

/** Percentage saved on a selection of the conversations. */
export type Validation = { readonly name: string; readonly safe: number; readonly structural: number };

const DRAWS = 2_000;

/**
 * How much of the savings would hold for other conversations: without each of the sources, and the 90% range of a
 * bootstrap over groups. Nothing here is fitted to the conversations except the table of the estimate, which has its
 * own such figures (`made` in token-table.json).
 */
export function validate(measured: readonly Measured[]): Validation[] {
  const sources = [...new Set(measured.map(({ source }) => source))].sort();
  const draws = drawGroups(measured);
  const at = (share: number) => ({
    safe: percentile(sorted(draws.map(({ safe }) => safe)), share),
    structural: percentile(sorted(draws.map(({ structural }) => structural)), share),
  });
  return [
    ...sources.map((source) =>
      savingOf(
        `without ${source}`,
        measured.filter((one) => one.source !== source),
      ),
    ),
    { name: "groups drawn again, p5", ...at(0.05) },
    { name: "groups drawn again, p95", ...at(0.95) },
  ];
}

function drawGroups(measured: readonly Measured[]): Validation[] {
  const groups = [...Map.groupBy(measured, ({ group }) => group).values()];
  const random = createRandom();
  return Array.from({ length: DRAWS }, () =>
    savingOf(
      "draw",
      groups.flatMap(() => groups[Math.floor(random() * groups.length)] ?? []),
    ),
  );
}

function savingOf(name: string, measured: readonly Measured[]): Validation {
  let tokens = 0;
  let safe = 0;
  let structural = 0;
  for (const one of measured) {
    tokens += one.tokens;
    safe += one.safe.tokens;
    structural += one.structural.tokens;
  }
  return { name, safe: 100 - (100 * safe) / tokens, structural: 100 - (100 * structural) / tokens };
}

function sorted(numbers: readonly number[]): number[] {
  return [...numbers].sort((a, b) => a - b);
}

/** Seeded (mulberry32), so the same draws in every run. */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
