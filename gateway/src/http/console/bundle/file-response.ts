import { acceptsEncoding } from "../../pages/accepts-encoding.ts";
import type { Bundle } from "./bundle.ts";
import { FILES_PATH } from "./manifest.ts";

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

const FOR_EVER = "public, max-age=31536000, immutable";
const A_DAY = "public, max-age=86400";

/**
 * Null if there is no such file. Bundled files are named after their content, so browsers may cache them for ever;
 * fonts have the fixed names that the stylesheet uses.
 */
export function fileResponse(bundle: Bundle, path: string, acceptEncoding: string | null): Response | null {
  if (!path.startsWith(FILES_PATH)) return null;
  const name = path.slice(FILES_PATH.length);
  const file = bundle.files.get(name);
  if (!file) return null;
  const kind = name.slice(name.lastIndexOf(".") + 1);
  const headers = new Headers({
    "content-type": TYPES[kind] ?? "application/octet-stream",
    "cache-control": kind === "woff2" ? A_DAY : FOR_EVER,
    "content-security-policy": "default-src 'none'",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    vary: "accept-encoding",
  });
  if (acceptsEncoding(acceptEncoding, "br")) {
    headers.set("content-encoding", "br");
    return new Response(file.brotli, { headers });
  }
  if (acceptsEncoding(acceptEncoding, "gzip")) {
    headers.set("content-encoding", "gzip");
    return new Response(file.gzip, { headers });
  }
  return new Response(file.bytes, { headers });
}
