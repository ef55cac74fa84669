import type { WireRequest } from "../contract.ts";
import { refuseBias, refuseBlocking } from "../foreign-wishes.ts";
import { refuseUnpriced } from "../unpriced-fields.ts";

/** What a client's own body may ask for, and none of the library's models can be told of. */
export function refuseInBody(wire: WireRequest): void {
  refuseUnpriced(wire);
  refuseBlocking(wire.body);
  if (wire.kind === "chat_completions") refuseBias(wire.body);
}
