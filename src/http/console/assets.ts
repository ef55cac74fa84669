import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../kit/index.ts";

function readText(name: string): string {
  return readFileSync(join(import.meta.dir, name), "utf8");
}

/** What pages load beside themselves. Everything else is refused by the content policy: no script at all. */
const CONTENTS = {
  "style.css": { type: "text/css; charset=utf-8", text: readText("base.css") + readText("parts.css") },
  "icon.svg": { type: "image/svg+xml", text: readText("icon.svg") },
};

const assets = new Map(
  Object.entries(CONTENTS).map(([name, { type, text }]) => [
    name,
    { type, text, version: sha256Hex(text).slice(0, 16) },
  ]),
);

/** Changes with the content, so that browsers may keep it for ever. */
export function assetPath(name: keyof typeof CONTENTS): string {
  return `/console/${name}?v=${assets.get(name)?.version}`;
}

export function assetResponse(path: string): Response | null {
  const asset = assets.get(path.slice("/console/".length));
  if (!path.startsWith("/console/") || asset === undefined) return null;
  return new Response(asset.text, {
    headers: {
      "content-type": asset.type,
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    },
  });
}
