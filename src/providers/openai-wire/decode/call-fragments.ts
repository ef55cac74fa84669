import { isObject } from "../../../kit/index.ts";
import type { WireDelta } from "../wire-chunk.ts";

const NONE: readonly unknown[] = [];

/**
 * What a delta or a message says of calls, whichever form it has: a list, one call where the list should be, or the
 * wire's first form, which has room for one.
 */
export function fragmentsIn({ tool_calls: calls, function_call: single }: WireDelta): readonly unknown[] {
  if (Array.isArray(calls) && calls.length > 0) return calls;
  if (isObject(calls) && isObject(calls["function"])) return [calls];
  return isObject(single) ? [{ index: 0, function: single }] : NONE;
}
