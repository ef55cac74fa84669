import { UNREPORTED } from "./odd-counts.ts";

type Count = number | null | undefined;
type InputCounts = Readonly<Record<(typeof COUNTS)[number], Count>>;

const COUNTS = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"] as const;

/**
 * What the events of one answer have reported of its usage and finish reason. The library uses the last event, but some
 * servers end with zeros, or with an event that says nothing.
 */
export class ReportedSoFar {
  #input: InputCounts = {
    input_tokens: undefined,
    cache_read_input_tokens: undefined,
    cache_creation_input_tokens: undefined,
  };
  /** Outdated once more output follows. */
  #output: { readonly tokens: number; isOutdated: boolean } | null = null;
  #reason: unknown = null;

  wroteOn(): void {
    if (this.#output !== null) this.#output.isOutdated = true;
  }

  /**
   * Merges this report into the earlier ones. A prompt may move into the cache or out of it, but a 0 does not unread
   * it: a count of 0 keeps its earlier value, as far as the earlier total leaves room beside the other counts.
   */
  input(given: InputCounts): InputCounts {
    const before = this.#input;
    const merged: Record<keyof InputCounts, Count> = {
      input_tokens: given.input_tokens ?? before.input_tokens,
      cache_read_input_tokens: given.cache_read_input_tokens ?? before.cache_read_input_tokens,
      cache_creation_input_tokens: given.cache_creation_input_tokens ?? before.cache_creation_input_tokens,
    };
    const total = totalOf(merged);
    let missing = total < 0 ? 0 : Math.max(0, totalOf(before) - total);
    for (const name of COUNTS) {
      if (missing === 0 || merged[name] !== 0) continue;
      const kept = Math.min(before[name] ?? 0, missing);
      merged[name] = kept;
      missing -= kept;
    }
    this.#input = merged;
    return merged;
  }

  /** The output of this report, or of the previous one if this one takes it back or leaves it out. */
  output(given: Count): number {
    const before = this.#output;
    const isNews = given === 0 ? before === null || before.tokens === 0 : typeof given === "number";
    if (isNews) {
      this.#output = { tokens: given as number, isOutdated: false };
      return given as number;
    }
    return before === null || before.isOutdated ? UNREPORTED : before.tokens;
  }

  /** The first finish reason wins. */
  reason(given: unknown): unknown {
    this.#reason ??= given;
    return this.#reason;
  }
}

function totalOf(input: InputCounts): number {
  return COUNTS.reduce((sum, name) => sum + (input[name] ?? 0), 0);
}
