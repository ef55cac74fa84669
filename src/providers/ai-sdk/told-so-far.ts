import { UNREPORTED } from "./odd-counts.ts";

export type Count = number | null | undefined;
export type InputCounts = Readonly<Record<(typeof COUNTS)[number], Count>>;

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

  /** The input by this report and those before it. A prompt moves into a cache and out of it, but is not unread by a zero. */
  input(given: InputCounts): InputCounts {
    const before = this.#input;
    const merged: InputCounts = {
      input_tokens: given.input_tokens ?? before.input_tokens,
      cache_read_input_tokens: given.cache_read_input_tokens ?? before.cache_read_input_tokens,
      cache_creation_input_tokens: given.cache_creation_input_tokens ?? before.cache_creation_input_tokens,
    };
    const hasZero = COUNTS.some((name) => given[name] === 0 && (before[name] ?? 0) > 0);
    const total = totalOf(merged);
    const isTakenBack = hasZero && total >= 0 && total < totalOf(before);
    if (!isTakenBack) this.#input = merged;
    return this.#input;
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
