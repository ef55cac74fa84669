import type { KeyCodec, KeySecret } from "../keys/key-codec.ts";

type BearerReading =
  | { readonly outcome: "ok"; readonly secret: KeySecret }
  | { readonly outcome: "unauthorized" }
  | { readonly outcome: "invalid_key"; readonly fault: "malformed" };

const UNAUTHORIZED = { outcome: "unauthorized" } as const;
const INVALID_KEY = { outcome: "invalid_key", fault: "malformed" } as const;

const SCHEME = "bearer ";
/**
 * How far to search a header for a key or a second header: longer than any real one, far below what a flood could send.
 */
const MAX_LOOK_CHARS = 1024;

/**
 * Decodes an Authorization header. Repeated headers arrive joined by ", ", which no key contains. Text of the wrong
 * length never reaches the codec.
 */
export function readBearer(header: string | null, codec: KeyCodec): BearerReading {
  if (header === null) return UNAUTHORIZED;
  const text = keyTextOf(header, codec);
  const secret = text === null ? undefined : codec.parseKey(text);
  if (secret !== undefined) return { outcome: "ok", secret };
  const start = header.slice(0, MAX_LOOK_CHARS);
  if (start.includes(", ") || !(isBearer(start) || start.toLowerCase() === "bearer")) return UNAUTHORIZED;
  return INVALID_KEY;
}

/** The text in the place of the key if it has the length of one; not validated otherwise. */
function keyTextOf(header: string, { keyChars }: KeyCodec): string | null {
  if (header.length > MAX_LOOK_CHARS) return null;
  const start = header.length - keyChars;
  if (start < SCHEME.length) return null;
  // HTTP allows several spaces after the scheme, and some clients send them.
  for (let at = SCHEME.length; at < start; at += 1) if (header[at] !== " ") return null;
  return isBearer(header) ? header.slice(start) : null;
}

function isBearer(header: string): boolean {
  return header.startsWith("Bearer ") || header.slice(0, SCHEME.length).toLowerCase() === SCHEME;
}
