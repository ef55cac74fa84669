/** `npm run sbom`: writes docs/sbom.json from bun.lock and the installed packages. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOptions } from "../command-options.ts";
import { makeSbom } from "./sbom.ts";

const ROOT = join(import.meta.dir, "..", "..");
commandOptions("Usage: npm run sbom", {});
writeFileSync(join(ROOT, "docs", "sbom.json"), makeSbom(ROOT));
console.log("Written to docs/sbom.json.");
