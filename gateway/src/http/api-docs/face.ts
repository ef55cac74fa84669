import { ICON } from "../pages/icon.ts";

/** The console's colours under the console's names; a test compares them with its palette. */
const TOKENS = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#f6f7f6, #0f1412);
  --surface: light-dark(#ffffff, #161d1a);
  --surface-2: light-dark(#f0f2f1, #1c2521);
  --sunk: light-dark(#e9ecea, #111715);
  --line: light-dark(#dfe4e1, #28332e);
  --line-strong: light-dark(#c3cbc6, #3d4b44);
  --ink: light-dark(#14201a, #e9efec);
  --ink-2: light-dark(#47564e, #b3c0b9);
  --ink-3: light-dark(#617069, #8fa097);
  --accent: light-dark(#0b6e53, #3fc795);
  --accent-hover: light-dark(#095a44, #5cd8aa);
  --accent-soft: light-dark(#e0f2ea, #12342a);
  --accent-ink: light-dark(#064a37, #8fe6c3);
  --on-accent: light-dark(#ffffff, #04241a);
  --danger: light-dark(#b3261e, #f08a80);
  --warn: light-dark(#8a5a00, #e8b65a);
  --info: light-dark(#1f5fae, #8bb8f0);
  --font: "Inter", system-ui, -apple-system, "Segoe UI", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, monospace;
}`;

/** What these pages share with the console: its colours and its logo. */
export const FACE_STYLE = `${TOKENS}
body { margin: 0; background: var(--paper); color: var(--ink); font: 400 15px/1.5 var(--font); }
.brand { display: inline-flex; align-items: center; gap: 8px; color: var(--ink); font-weight: 600; font-size: 17px; letter-spacing: -.02em; text-decoration: none; }
.brand svg { width: 24px; height: 24px; }`;

export const BRAND = `<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" fill="var(--accent)"/><path d="M8 14.5c0-3.6 3.2-6 8-6s8 2.4 8 6v3.4c0 3.4-3.2 5.9-8 5.9s-8-2.5-8-5.9zM8.4 14.6h15.2" fill="none" stroke="var(--on-accent)" stroke-width="2.2"/><circle cx="16" cy="14.6" r="2.1" fill="var(--on-accent)"/></svg>Bursar`;

/** As a data URL, so that the page's policy need not allow fetching it. */
export const ICON_LINK = `<link rel="icon" type="image/svg+xml" href="data:image/svg+xml;base64,${Buffer.from(ICON).toString("base64")}">`;
