/** No message is written in one such run; every encrypted text is, and this is less than the shortest has. */
const CIPHERTEXT = /^[A-Za-z0-9+/_-]{64,}={0,2}$/;

/** Whether a text that may be encrypted looks so: clients put plain words where a service would have encrypted them. */
export function looksEncrypted(text: string): boolean {
  return CIPHERTEXT.test(text.trim());
}
