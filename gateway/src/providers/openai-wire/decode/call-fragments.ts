import { isObject } from "../../../kit/index.ts";
import type { WireDelta } from "../wire-chunk.ts";

const NONE: readonly unknown[] = [];

/**
 * The tool call fragments of a delta or a message, in whichever form: a list, a single call in place of the list, or
 * the wire's first form (`function_call`), which has room for one.
 */
export function fragmentsIn({ tool_calls: calls, function_call: single }: WireDelta): readonly unknown[] {
  if (Array.isArray(calls) && calls.length > 0) return calls;
  if (isObject(calls) && isObject(calls["function"])) return [calls];
  return isObject(single) ? [{ index: 0, function: single }] : NONE;
}
