import { randomBytes } from "node:crypto";
import { sha256Hex } from "../../kit/index.ts";

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export function newInvitationToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/**
 * The invitation's id is made of the token's hash: whoever sees the id, in a list or in a dump of the database,
 * cannot make the token of it. Undefined for what cannot be a token.
 */
export function invitationIdOf(token: string): string | undefined {
  if (token.length !== 43 || !TOKEN.test(token)) return undefined;
  const hash = sha256Hex(`invitation:${token}`);
  // UUIDv8: bits of one's own choice around the version and the variant.
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
