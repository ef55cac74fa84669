/** Browsers send at most a few kilobytes; what is longer was not made by one of ours. */
const MAX_HEADER_CHARS = 16_384;
const MAX_COOKIES = 100;

/** The first of a name wins, as everywhere; names and values are taken as they are. */
export function parseCookies(header: string | null): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  if (header === null || header.length > MAX_HEADER_CHARS) return cookies;
  for (const pair of header.split(";", MAX_COOKIES)) {
    const equals = pair.indexOf("=");
    const name = pair.slice(0, equals).trim();
    if (equals > 0 && !cookies.has(name)) cookies.set(name, pair.slice(equals + 1).trim());
  }
  return cookies;
}

type CookieOptions = { name: string; value: string; maxAgeSeconds: number; secure: boolean };

/** Lax, not Strict: somebody who comes from a mail or a chat keeps what the browser holds. Values are ours. */
export function encodeCookie({ name, value, maxAgeSeconds, secure }: CookieOptions): string {
  const attributes = `Max-Age=${maxAgeSeconds}; Path=/console; HttpOnly; SameSite=Lax`;
  return `${name}=${value}; ${attributes}${secure ? "; Secure" : ""}`;
}
