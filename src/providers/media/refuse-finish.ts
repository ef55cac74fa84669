import { untold } from "../foreign-wishes.ts";
import type { ImageFinish } from "./media-contract.ts";

/** What callers call them. */
const FIELDS: readonly (readonly [keyof ImageFinish, string])[] = [
  ["format", "output_format"],
  ["compression", "output_compression"],
  ["background", "background"],
];

/**
 * Refuses the first wish there is: another picture than was asked for would be made. PNG is what the wire writes by itself:
 * clients that ask for it ask for nothing more than those that do not.
 */
export function refuseFinish({ format, ...others }: ImageFinish): void {
  const wishes: ImageFinish = format === undefined || format === "png" ? others : { format, ...others };
  for (const [wish, field] of FIELDS)
    if (wishes[wish] !== undefined) throw untold(field, "this model cannot be told; leave it out");
}
