import { withoutLeading } from "./address-beginning.ts";
import { isBareBase64 } from "./bare-base64.ts";

/** URL parsers remove these wherever they occur. */
const LEFT_OUT = /[\t\r\n]/g;
const MAY_BEGIN = /^[h\\/]/i;
/**
 * Everything before the path, with or without a scheme. Parsers take a backslash for a slash, and any number of slashes
 * after a scheme for two.
 */
const AUTHORITY = /^(?:https?:[\\/]*|[\\/]{2,})([^\s\\/?#][^/?#]*)/i;
/** Number of characters that is enough to recognize base64 that begins with two slashes. */
const LOOKED_AT = 8_192;
const NONE: readonly string[] = [];

/**
 * The host and port that a parser finds in a text if it is a web address; two if parsers differ. Empty for everything
 * else: a path, the name of a stored object, an address with another scheme, bytes, plain text.
 */
export function hostsNamedIn(written: string): readonly string[] {
  const begun = MAY_BEGIN.test(written) ? written : withoutLeading(written);
  if (!MAY_BEGIN.test(begun)) return NONE;
  const text = begun.replace(LEFT_OUT, "");
  const authority = AUTHORITY.exec(text)?.[1];
  if (authority === undefined || isBareBase64(text.slice(0, LOOKED_AT))) return NONE;
  // To some parsers a backslash ends the host, to others it is part of the user name.
  if (!authority.includes("\\")) return [withoutUser(authority)];
  return [withoutUser(beforeBackslash(authority)), beforeBackslash(withoutUser(authority))];
}

const withoutUser = (text: string) => text.slice(text.lastIndexOf("@") + 1);
const beforeBackslash = (text: string) => text.replace(/\\.*/s, "");
