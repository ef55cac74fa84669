import { invalid, isDataUrl } from "../../kit/index.ts";

/** Of an address somewhere else; those that carry their bytes are as long as the body may be. */
const MAX_ADDRESS_CHARACTERS = 8_192;
const ACCEPTS = `must be an address of at most ${MAX_ADDRESS_CHARACTERS} characters, or a data URL`;
const REMOTE = /^https?:/i;

/** The address of a picture or a file. A longer one is nobody's, and whoever parses it does so more than once. */
export function checkAddress(url: string, path: () => string): void {
  if (url.length > MAX_ADDRESS_CHARACTERS && !isDataUrl(url)) throw invalid(path(), ACCEPTS);
}

/** The data of a file, which may be bare base64, too. */
export function checkFileData(data: string, path: () => string): void {
  if (REMOTE.test(data)) checkAddress(data, path);
}
