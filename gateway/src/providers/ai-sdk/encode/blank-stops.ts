import type { WireRequest } from "../../../contract/index.ts";
import { unsupported } from "../../foreign-options.ts";

/** For providers that refuse blank stop sequences. Dropping them silently would let the answer run past its end. */
export function refuseBlankStops(stops: readonly unknown[]): void {
  if (stops.some((stop) => typeof stop === "string" && stop.trim() === ""))
    throw unsupported("stop", "this model takes no sequence of whitespace alone; leave it out");
}

/** As the client sent them: one, several or none. */
export function stopsOf({ kind, body }: WireRequest): readonly unknown[] {
  return kind === "chat_completions" ? [body["stop"] ?? []].flat() : [];
}
