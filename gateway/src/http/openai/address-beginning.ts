/** White space and control characters, which URL parsers skip before an address. */
const LEADING = /^[\p{Cc}\s]+/u;
/** Tabs and line breaks may occur anywhere in a scheme: URL parsers remove them. */
const SCHEME = /^[a-z](?:[\t\r\n]*[a-z0-9+.-]){0,40}[\t\r\n]*:(?! )/i;

export function withoutLeading(written: string): string {
  return written.replace(LEADING, "");
}

export function beginsWithScheme(text: string): boolean {
  return SCHEME.test(text);
}
