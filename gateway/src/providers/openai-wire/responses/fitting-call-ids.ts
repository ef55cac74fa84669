import type { Fields } from "../../../wires/index.ts";
import { encodeItemCallId } from "../encode/encode-call-id.ts";
import type { WireVendor } from "../vendor.ts";

/** The items with call ids that the vendor accepts, in calls and results alike; the same list if all fit. */
export function withFittingCallIds(input: unknown, vendor: WireVendor): unknown {
  if (vendor.toolCallId !== "short" || !Array.isArray(input)) return input;
  const fitting = input.map((item: Fields | null) => withFittingCallId(item, vendor));
  return fitting.some((item, at) => item !== input[at]) ? fitting : input;
}

function withFittingCallId(item: Fields | null, vendor: WireVendor): Fields | null {
  const id = item?.["call_id"];
  if (typeof id !== "string") return item;
  const fitting = encodeItemCallId(id, vendor);
  return fitting === id ? item : { ...item, call_id: fitting };
}
