import { credits } from "../../parts/format.ts";

/** For users who follow the link of a refused call. */
export function missingCredits(needed: number): string {
  return `A call was refused because ${credits(needed)} ${needed === 1 ? "was" : "were"} missing`;
}
