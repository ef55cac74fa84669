/** What stands before an address and means nothing to those who read it. */
const LEADING = /^[\p{Cc}\s]+/u;
/** Any number of tabs and line breaks may stand inside: parsers leave them out. */
const SCHEME = /^[a-z](?:[\t\r\n]*[a-z0-9+.-]){0,40}[\t\r\n]*:(?! )/i;

export function withoutLeading(written: string): string {
  return written.replace(LEADING, "");
}

export function beginsWithScheme(text: string): boolean {
  return SCHEME.test(text);
}
