import { figure } from "../../parts/format.ts";

/** What saved tokens are worth; small calls save less than a credit each. */
export function savedCredits({
  tokensSaved,
  creditsSaved,
}: {
  tokensSaved: number;
  creditsSaved: number;
}): string {
  if (tokensSaved === 0) return "Nothing to save";
  if (creditsSaved === 0) return "Worth less than a credit";
  const shown = creditsSaved >= 10 ? figure(Math.floor(creditsSaved)) : String(creditsSaved);
  return `Worth ${shown} ${shown === "1" ? "credit" : "credits"}`;
}
