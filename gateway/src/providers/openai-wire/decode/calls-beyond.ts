import type { WireDelta } from "../wire-chunk.ts";
import { fragmentsIn } from "./call-fragments.ts";

/**
 * Tool calls in a stream's surplus choice, beyond the one requested: some servers put text and the calls that follow it
 * into separate choices. Any other surplus choice is a separate answer and is ignored.
 */
export class CallsBeyond {
  #index: unknown = undefined;
  #hasWords = false;
  #isFolded = false;

  /** The part of `delta` that belongs to the answer; null if none does. Calls that have begun go on. */
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
