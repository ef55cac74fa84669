import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "./mutant.ts";

/** Why no test can or need notice a mutant. */
type Explanation = {
  readonly path: string;
  readonly code: string;
  readonly changes: readonly string[];
  readonly reason: string;
};

export function loadExplanations(): readonly Explanation[] {
  return JSON.parse(readFileSync(join(import.meta.dir, "explained.json"), "utf8")) as Explanation[];
}

export function explains(explanation: Explanation, mutant: Mutant): boolean {
  return (
    explanation.path === mutant.path &&
    explanation.code === mutant.code &&
    explanation.changes.includes(mutant.change)
  );
}
