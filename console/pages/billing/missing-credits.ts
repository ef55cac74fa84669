import { credits } from "../../parts/format.ts";

/** What a refused call leads here with. */
export function missingCredits(needed: number): string {
  return `A call was refused because ${credits(needed)} ${needed === 1 ? "was" : "were"} missing`;
}
