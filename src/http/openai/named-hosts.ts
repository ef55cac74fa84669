import { withoutLeading } from "./address-beginning.ts";
import { isBareBase64 } from "./bare-base64.ts";

/** Parsers leave these out wherever they stand. */
const LEFT_OUT = /[\t\r\n]/g;
const MAY_BEGIN = /^[h\\/]/i;
/** All up to the path, with a scheme or without; to parsers a backslash is a slash, and one slash or none is two. */
const AUTHORITY = /^(?:https?:[\\/]*|[\\/]{2,})([^\s\\/?#][^/?#]*)/i;
/** Enough to tell bytes by that begin with two slashes. */
const LOOKED_AT = 8_192;
const NONE: readonly string[] = [];

/**
 * The host, with its port, that those find who read it as an address of the web; two where parsers differ. None in
 * everything else: a path, a name in a store, an address of another scheme, bytes, words.
 */
export function hostsNamedIn(written: string): readonly string[] {
  const begun = MAY_BEGIN.test(written) ? written : withoutLeading(written);
  if (!MAY_BEGIN.test(begun)) return NONE;
  const text = begun.replace(LEFT_OUT, "");
  const authority = AUTHORITY.exec(text)?.[1];
  if (authority === undefined || isBareBase64(text.slice(0, LOOKED_AT))) return NONE;
  // It ends the host to some, and is a letter of the user's name to others.
  if (!authority.includes("\\")) return [withoutUser(authority)];
  return [withoutUser(beforeBackslash(authority)), beforeBackslash(withoutUser(authority))];
}

const withoutUser = (text: string) => text.slice(text.lastIndexOf("@") + 1);
const beforeBackslash = (text: string) => text.replace(/\\.*/s, "");
