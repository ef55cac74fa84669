import { figure } from "../../parts/format.ts";

/**
 * The most that saved tokens are worth, at the full input price: tokens that a provider had cached are worth less.
 * Small calls save less than a credit each.
 */
export function savedCredits({
  tokensSaved,
  creditsSaved,
}: {
  tokensSaved: number;
  creditsSaved: number | null;
}): string {
  if (tokensSaved === 0) return "Nothing to save";
  if (creditsSaved === null) return "From models no longer listed";
  if (creditsSaved === 0) return "Worth less than a credit";
  const shown = creditsSaved >= 10 ? figure(Math.floor(creditsSaved)) : String(creditsSaved);
  return `Worth up to ${shown} ${shown === "1" ? "credit" : "credits"}`;
}

/** What providers' caches saved after the price of writing to them, which may be more than what reading saved. */
export function cacheCredits(saved: number): string {
  if (saved === 0) return "Neither saved nor cost a credit";
  const amount = Math.abs(saved);
  const shown = amount >= 10 ? figure(Math.floor(amount)) : String(amount);
  const words = `${shown} ${shown === "1" ? "credit" : "credits"}`;
  return saved > 0 ? `Saved ${words}, net` : `Cost ${words} more than they saved`;
}
