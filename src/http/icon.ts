import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The mark of every page, as a file of its own. */
export const ICON = readFileSync(join(import.meta.dir, "icon.svg"), "utf8");
