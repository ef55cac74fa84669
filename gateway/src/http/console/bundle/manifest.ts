import { join } from "node:path";
import { ROOT } from "../../../kit/index.ts";

/** The web app's entry point. */
export const CONSOLE_ENTRY = join(ROOT, "console", "main.tsx");
/** The URL path of its files. */
export const FILES_PATH = "/console/files/";
export const MANIFEST = "manifest.json";

/** File names within the folder of a finished build. */
export type ConsoleManifest = {
  readonly script: string;
  readonly styles: readonly string[];
  readonly files: readonly string[];
};
