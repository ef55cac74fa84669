import type { WireRequest } from "../../../contract/index.ts";
import { refuseBias, refuseBlocking } from "../../foreign-options.ts";
import { refuseUnpriced } from "../../unpriced-fields.ts";

/** Refuses fields of a client's body that none of the library's models support. */
export function refuseInBody(wire: WireRequest): void {
  refuseUnpriced(wire);
  refuseBlocking(wire.body);
  if (wire.kind === "chat_completions") refuseBias(wire.body);
}
