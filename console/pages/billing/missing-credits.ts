import { number } from "../../parts/format.ts";

/** What a refused call leads here with. */
export function missingCredits(needed: number): string {
  return `A call was refused because ${number(needed)} more ${needed === 1 ? "credit was" : "credits were"} needed`;
}
