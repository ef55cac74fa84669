import { randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;
const TOKEN_CHARS = 43;
const TOKEN = /^[A-Za-z0-9_-]+$/;

/** For a link that lets somebody in: nobody guesses it. */
export function newOneTimeToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** Whether a text has the form of one; nothing else is looked up. */
export function isOneTimeToken(text: string): boolean {
  return text.length === TOKEN_CHARS && TOKEN.test(text);
}
