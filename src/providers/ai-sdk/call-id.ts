import { sha256Hex } from "../../kit/index.ts";

/** What every provider takes; some refuse more characters, others longer ids. */
const TAKEN = /^[A-Za-z0-9_-]{1,64}$/;

/** A conversation may have begun with another provider: its ids get a name that this one takes, always the same. */
export function encodeCallId(id: string): string {
  return TAKEN.test(id) ? id : `call_${sha256Hex(id).slice(0, 32)}`;
}
