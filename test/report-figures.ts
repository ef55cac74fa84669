import { writeFileSync } from "node:fs";

/** Reports what a test counted to the script that runs it and prints the table; does nothing in an ordinary run. */
export function reportFigures(figures: Readonly<Record<string, number>>): void {
  const path = process.env["BURSAR_TEST_FIGURES"];
  if (path !== undefined) writeFileSync(path, JSON.stringify(figures));
}
