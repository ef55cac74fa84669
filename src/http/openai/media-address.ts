import { invalid } from "../../kit/index.ts";

/** Of an address somewhere else; what carries its bytes, as a data URL or bare base64, is as long as the body may be. */
const MAX_ADDRESS_CHARACTERS = 8_192;
const ACCEPTS = `must be an address of at most ${MAX_ADDRESS_CHARACTERS} characters, or a data URL`;
const REMOTE = /^https?:/i;

/** The address of a picture or a file. A longer one is nobody's, and whoever parses it does so more than once. */
export function checkAddress(url: string, path: () => string): void {
  if (url.length > MAX_ADDRESS_CHARACTERS && REMOTE.test(url)) throw invalid(path(), ACCEPTS);
}
