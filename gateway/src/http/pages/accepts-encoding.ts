import { weightOf } from "./prefers-page.ts";

/** Reads `Accept-Encoding`: true if the client takes this encoding, and not less gladly than a body without any. */
export function acceptsEncoding(header: string | null, encoding: "br" | "gzip"): boolean {
  if (header === null) return false;
  const weights = new Map(header.split(",").map(weightOf));
  const weight = weights.get(encoding) ?? weights.get("*") ?? 0;
  return weight > 0 && weight >= (weights.get("identity") ?? 0);
}
