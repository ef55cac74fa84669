import { untold } from "../foreign-wishes.ts";
import type { ImageFinish } from "./media-contract.ts";

/** What callers call them. */
const FIELDS: readonly (readonly [keyof ImageFinish, string])[] = [
  ["format", "output_format"],
  ["compression", "output_compression"],
  ["background", "background"],
];

/** Refuses the first wish there is: another picture than was asked for would be made. */
export function refuseFinish(finish: ImageFinish): void {
  for (const [wish, field] of FIELDS)
    if (finish[wish] !== undefined) throw untold(field, "this model cannot be told; leave it out");
}
