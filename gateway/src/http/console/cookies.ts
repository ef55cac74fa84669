/** Browsers send a few kilobytes of cookies at most; a longer header is ignored. */
const MAX_HEADER_CHARS = 16_384;
const MAX_COOKIES = 100;

/** The first of several cookies with one name wins, as usual; names and values are not decoded. */
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

/** Lax, not Strict: someone who follows a link from an email or a chat keeps their cookies. Values are our own. */
export function encodeCookie({ name, value, maxAgeSeconds, secure }: CookieOptions): string {
  const attributes = `Max-Age=${maxAgeSeconds}; Path=/console; HttpOnly; SameSite=Lax`;
  return `${name}=${value}; ${attributes}${secure ? "; Secure" : ""}`;
}
