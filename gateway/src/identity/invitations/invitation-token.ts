import { sha256Hex } from "../../kit/index.ts";
import { isOneTimeToken } from "../one-time-token.ts";

/**
 * The invitation's id is derived from the token's hash, so nobody who sees the id, in a list or in a dump of the
 * database, can derive the token. Undefined if the text cannot be a token.
 */
export function invitationIdOf(token: string): string | undefined {
  if (!isOneTimeToken(token)) return undefined;
  const hash = sha256Hex(`invitation:${token}`);
  // UUIDv8: custom bits around the version and the variant.
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
