/** Ciphertext is one unbroken run of such characters, and longer than this; plain messages are not. */
const CIPHERTEXT = /^[A-Za-z0-9+/_-]{64,}={0,2}$/;

/** Whether a text that may be encrypted looks so: clients put plain text where a service would have put ciphertext. */
export function looksEncrypted(text: string): boolean {
  return CIPHERTEXT.test(text.trim());
}
