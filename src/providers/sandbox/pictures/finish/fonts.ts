import { readFileSync } from "node:fs";
import { GlobalFonts } from "@napi-rs/canvas";

/** One file per script; the canvas falls from one family to the next by itself. */
const SCRIPTS = ["latin", "latin-ext", "cyrillic", "greek", "vietnamese"] as const;
const WEIGHTS = [500, 700] as const;

export const FONT_FAMILY = SCRIPTS.map((script) => `"Bursar ${script}"`).join(", ");

let isLoaded = false;

/** From our own packages: a fresh machine may have no font at all, and another one would draw another picture. */
export function loadFonts(): void {
  if (isLoaded) return;
  isLoaded = true;
  for (const script of SCRIPTS) {
    for (const weight of WEIGHTS) {
      const file = import.meta.resolve(`@fontsource/inter/files/inter-${script}-${weight}-normal.woff2`);
      GlobalFonts.register(readFileSync(new URL(file)), `Bursar ${script}`);
    }
  }
}

/** What the fonts can write; anything else would be a row of boxes. */
export function writable(text: string): string {
  return text
    .replace(/[^ -~\u00a1-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1eff\u2010-\u2026\u20ac]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}
