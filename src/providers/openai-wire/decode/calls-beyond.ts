import type { WireDelta } from "../wire-chunk.ts";
import { fragmentsIn } from "./call-fragments.ts";

/**
 * Calls in a stream's choice that nobody asked for: some servers put a text and the calls that follow it into a choice
 * each. Any other one is an answer of its own, and nobody's.
 */
export class CallsBeyond {
  #index: unknown = undefined;
  #hasWords = false;
  #isFolded = false;

  /** What of it belongs to the answer; null where nothing does. Calls that have begun go on. */
  in(index: unknown, delta: WireDelta, hasOwnCalls: boolean): WireDelta | null {
    this.#index ??= index;
    if (index !== this.#index) return null;
    if (delta.content || delta.refusal) this.#hasWords = true;
    const calls = fragmentsIn(delta);
    if (calls.length === 0 || (!this.#isFolded && (this.#hasWords || hasOwnCalls))) return null;
    this.#isFolded = true;
    return { tool_calls: calls };
  }
}
