import { number } from "../../parts/format.ts";

/** Small calls save less than a credit each. */
export function savedCredits(credits: number): string {
  if (credits === 0) return "worth less than a credit";
  const shown = credits >= 10 ? number(Math.floor(credits)) : String(credits);
  return `worth ${shown} ${shown === "1" ? "credit" : "credits"}`;
}
