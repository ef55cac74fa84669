/** `npm run figures`: renders the tables of every page in docs/ again from docs/figures. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOptions } from "../command-options.ts";
import { fillTables } from "./document-tables.ts";
import { loadFigures } from "./figure-file.ts";

const DOCS = join(import.meta.dir, "..", "..", "docs");

commandOptions("Usage: npm run figures", {});
for (const name of readdirSync(DOCS).filter((each) => each.endsWith(".md"))) {
  const path = join(DOCS, name);
  const text = readFileSync(path, "utf8");
  const filled = fillTables(text, loadFigures);
  if (filled === text) continue;
  writeFileSync(path, filled);
  console.log(`docs/${name}: tables updated`);
}
