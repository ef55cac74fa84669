import { join } from "node:path";

/** The web app's first file. */
export const CONSOLE_ENTRY = join(import.meta.dir, "..", "..", "..", "..", "console", "main.tsx");
/** Where browsers find its files. */
export const FILES_PATH = "/console/files/";
export const MANIFEST = "manifest.json";

/** Names within the folder of a finished build. */
export type ConsoleManifest = {
  readonly script: string;
  readonly styles: readonly string[];
  readonly files: readonly string[];
};
