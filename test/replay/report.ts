import type { Skipped } from "./recording.ts";

/** Prints every failure, every reason for a skip with its count, and one line with the totals. */
export function printReport(input: {
  readonly suite: string;
  readonly replayed: number;
  readonly failures: readonly string[];
  readonly skipped: readonly Skipped[];
}): void {
  const { suite, replayed, failures, skipped } = input;
  const counts = new Map<string, number>();
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  for (const failure of failures) console.log(`replay ${suite}: failed: ${failure}`);
  for (const [reason, count] of [...counts].toSorted(([, a], [, b]) => b - a)) {
    console.log(`replay ${suite}: skipped ${count}: ${reason}`);
  }
  const passed = replayed - failures.length;
  const share = replayed === 0 ? 100 : (100 * passed) / replayed;
  console.log(
    `replay ${suite}: ${passed} of ${replayed} passed (${share.toFixed(1)} %), ${skipped.length} skipped`,
  );
}
