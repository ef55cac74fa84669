import { UNREPORTED } from "./odd-counts.ts";

type Count = number | null | undefined;
type InputCounts = Readonly<Record<(typeof COUNTS)[number], Count>>;

const COUNTS = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"] as const;

/**
 * What the events of one answer have said of its usage and its end. The library believes the last one, but some servers
 * end with zeros, or with an event that says nothing any more.
 */
export class ToldSoFar {
  #input: InputCounts = {
    input_tokens: undefined,
    cache_read_input_tokens: undefined,
    cache_creation_input_tokens: undefined,
  };
  /** Outdated by what was written after it. */
  #output: { readonly tokens: number; isOutdated: boolean } | null = null;
  #reason: unknown = null;

  wroteOn(): void {
    if (this.#output !== null) this.#output.isOutdated = true;
  }

  /**
   * The input by this report and those before it. A prompt moves into a cache and out of it, but is not unread by a zero:
   * what says 0 keeps its earlier count, as far as the others leave room for it in what was read before.
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

  /** The output by this report, or by the one before where this one takes it back or leaves it out. */
  output(given: Count): number {
    const before = this.#output;
    const isNews = given === 0 ? before === null || before.tokens === 0 : typeof given === "number";
    if (isNews) {
      this.#output = { tokens: given as number, isOutdated: false };
      return given as number;
    }
    return before === null || before.isOutdated ? UNREPORTED : before.tokens;
  }

  /** The first end stands. */
  reason(given: unknown): unknown {
    this.#reason ??= given;
    return this.#reason;
  }
}

function totalOf(input: InputCounts): number {
  return COUNTS.reduce((sum, name) => sum + (input[name] ?? 0), 0);
}
