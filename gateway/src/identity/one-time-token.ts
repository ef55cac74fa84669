import { randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;
const TOKEN_CHARS = 43;
const TOKEN = /^[A-Za-z0-9_-]+$/;

/** Unguessable token for a link that lets somebody in. */
export function newOneTimeToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** True if the text has the form of a token; other text is not looked up. */
export function isOneTimeToken(text: string): boolean {
  return text.length === TOKEN_CHARS && TOKEN.test(text);
}
