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
