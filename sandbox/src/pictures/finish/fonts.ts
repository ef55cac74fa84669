import { GlobalFonts } from "@napi-rs/canvas";

/** One file per script; the canvas falls back from one family to the next. */
const SCRIPTS = ["latin", "latin-ext", "cyrillic", "greek", "vietnamese"];

/** The files of them, and the script that each is for. */
export const FONT_FILES = SCRIPTS.flatMap((script) =>
  [500, 700].map((weight) => ({
    script,
    file: `@fontsource/inter/files/inter-${script}-${weight}-normal.woff2`,
  })),
);

export const FONT_FAMILY = SCRIPTS.map((script) => `"Bursar ${script}"`).join(", ");

let isLoaded = false;

/** From our own packages: a fresh machine may have no fonts, and different ones would change the picture. */
export function loadFonts(): void {
  if (isLoaded) return;
  isLoaded = true;
  for (const { script, file } of FONT_FILES)
    GlobalFonts.registerFromPath(Bun.resolveSync(file, import.meta.dir), `Bursar ${script}`);
}

const UNWRITABLE = /[^ -~\u00a1-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1eff\u2010-\u2026\u20ac]+/gu;

/** Text that these fonts can show; the rest is dropped, since empty boxes say nothing. */
export function writable(caption: string): string {
  const text = caption.normalize("NFC").replace(UNWRITABLE, " ").replace(/\s+/g, " ");
  return text.replace(/^[\s,]+|[\s,]+$/g, "");
}
