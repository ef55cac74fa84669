/** A URL that carries its own data: `data:image/png;base64,…`. */
type DataUrl = {
  /** Lower case, without parameters; empty if the URL names none. */
  readonly mediaType: string;
  readonly isBase64: boolean;
  /** Index at which the data begins. */
  readonly start: number;
};

/** Room for a media type and a file name. A text without a comma by then is not treated as a data URL. */
const MAX_HEAD_CHARACTERS = 1_024;
const SCHEME = /^data:/i;

export function isDataUrl(text: Sliced): boolean {
  return SCHEME.test(text.slice(0, 5));
}

/**
 * Null if the text is not a data URL, or its head does not end. Reads only the head: tens of megabytes may follow, and
 * a regular expression that looks for a missing comma there may rescan them from every position.
 */
export function readDataUrl(text: Sliced): DataUrl | null {
  const head = text.slice(0, MAX_HEAD_CHARACTERS);
  const comma = head.indexOf(",");
  if (comma === -1 || !isDataUrl(head)) return null;
  const [mediaType = "", ...parameters] = head.slice(5, comma).toLowerCase().split(";");
  return { mediaType, isBase64: parameters.at(-1) === "base64", start: comma + 1 };
}

/** A string, or something that can be read in slices like one. */
type Sliced = { slice(start: number, end: number): string };
