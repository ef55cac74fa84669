import { number } from "../../parts/format.ts";

/** For users who follow the link of a refused call. */
export function missingCredits(needed: number): string {
  return `A call was refused because ${number(needed)} more ${needed === 1 ? "credit was" : "credits were"} needed`;
}
