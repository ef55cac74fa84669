import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The logo of every page, as an SVG file. */
export const ICON = readFileSync(join(import.meta.dir, "icon.svg"), "utf8");
