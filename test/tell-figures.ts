import { writeFileSync } from "node:fs";

/** What a test counted, for whoever runs it to make a table of it; nothing where nobody asked. */
export function tellFigures(figures: Readonly<Record<string, number>>): void {
  const path = process.env["BURSAR_TEST_FIGURES"];
  if (path !== undefined) writeFileSync(path, JSON.stringify(figures));
}
